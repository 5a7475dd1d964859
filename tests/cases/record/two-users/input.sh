# Two users of one machine: what one of them plants in a cache, or as a recording, is not used by the other.
[ "$(id -u)" = 0 ] || skip 'only root can become two users'
umask 022
chmod 755 . ..
as() { local user=$1; shift; setpriv --reuid="$user" --regid="$user" --clear-groups "$@"; }
cat > app.c <<X
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; ++i) { pthread_create(&t, 0, run, 0); pthread_join(t, 0); }
  puts("done");
  return 0;
}
X
export XDG_CACHE_HOME=$PWD/root
specialize-cc -g -pthread app.c -o app
specialize build --record ./app -o app.rec
mkdir -m 1777 common; mkdir -m 700 one two; chown 1001 one; chown 1002 two
export TMPDIR=$PWD/common
echo "a cache that the other made, closed or open"
for mode in 755 777; do
  mkdir -p planted/specialize; chmod $mode planted planted/specialize; chown -R 1001 planted
  XDG_CACHE_HOME=$PWD/planted try as 1002 specialize record -o two/app.sigma -- ./app
done
echo "a folder of one's own, with an entry that is another's"
export XDG_CACHE_HOME=$PWD/two
as 1002 specialize record -o two/app.sigma -- ./app
entry=$(ls -d two/specialize/record-*)
cp "$entry" kept
cp /bin/false "$entry"; chmod 755 "$entry"; chown 1001 "$entry"
as 1002 specialize record -o two/app.sigma -- ./app
cmp "$entry" kept && echo "made anew"
echo "one's own, damaged, or put under another name"
printf X | dd of="$entry" bs=1 seek=5000 conv=notrunc status=none
as 1002 specialize record -o two/app.sigma -- ./app
cmp "$entry" kept && echo "made anew"
sed 's/< 3/< 2/' app.c > other.c && specialize-cc -g -pthread other.c -o other
as 1002 specialize record -o two/other.sigma -- ./other 2> /dev/null
other=$(ls -d two/specialize/record-* | grep -v "$entry")
cat "$other" > "$entry"
as 1002 specialize record -o two/app.sigma -- ./app
cmp "$entry" kept && echo "made anew"
echo "objects of builds"
as 1002 specialize build ./app --sigma two/app.sigma -o two/spec 2> /dev/null
for object in two/specialize/objects/*; do cat "$object" | tail -c +41 > /dev/null; cp "$object" last; done
for object in two/specialize/objects/*; do cat last > "$object"; done
as 1002 specialize build ./app --sigma two/app.sigma -o two/spec 2> /dev/null
try ./two/spec
echo "a recording that the other made"
as 1001 mkdir -m 777 common/runs
as 1002 env SPECIALIZE_DIR=common/runs ./app.rec
ls common/runs | wc -l
as 1001 env SPECIALIZE_DIR=one/runs ./app.rec
cp -r one/runs common/theirs; chown -R 1001 common/theirs; chmod -R a+rX common/theirs
try as 1002 specialize record -o two/app.sigma --from common/theirs ./app 2>&1 | sed "s/[0-9]*-0:/PID-0:/"
cp -r common/theirs common/copy; chown -R 1002 common/copy; chown 1001 common/copy/*/e0.0; chmod 644 common/copy/*/e0.0
try as 1002 specialize record -o two/app.sigma --from common/copy ./app
chown -R 1002 common/copy
try as 1002 specialize record -o two/app.sigma --from common/copy ./app
echo "no home"
unset XDG_CACHE_HOME
try as 1002 env -u HOME specialize record -o two/app.sigma -- ./app
[ ! -e /tmp/specialize-cache-1002 ] || echo "kept in /tmp"
echo "schedules and witnesses of the other"
export XDG_CACHE_HOME=$PWD/two
cp two/app.sigma common/theirs.sigma; chown 1001 common/theirs.sigma; chmod 644 common/theirs.sigma
as 1002 specialize race ./app common/theirs.sigma --replay 2>&1 | grep "warning\|^specialize: ./app"
as 1002 specialize race ./app common/theirs.sigma 2>&1 | grep "warning\|^specialize: ./app"
