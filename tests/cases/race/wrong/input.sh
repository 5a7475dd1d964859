# Files and options that cannot be: told, with exit status 2, and never taken for a program without races.
. "$TOP/tests/races.sh"
cat > app.c <<X
#include <pthread.h>
static int x;
static void *first(void *arg) { return x++, arg; }
static void *second(void *arg) { return x--, arg; }
$END_OF_THREADS
X
made app
sed 's/x++/x += 5/' app.c > other.c
specialize-cc -O1 -g -pthread other.c -o other
SPECIALIZE_PASSTHROUGH=1 specialize-cc -g -pthread app.c -o plain
: > empty.sigma
head -5 app.sigma > cut.sigma
sed '0,/ join /s/ join / jion /' app.sigma > broken.sigma
sed '/^schedules/s/1/0/; /^schedules/q' app.sigma > none-inside.sigma
race() { try specialize race --all "$@" 2>&1 | sed 's/[0-9a-f]\{32\}/HASH/; /^app.c:[3-9]\|^app.c:1./d'; }
race
race ./app
race ./app --sigma none.sigma
race ./app --sigma empty.sigma
race ./app --sigma none-inside.sigma
race ./app --sigma cut.sigma
race ./app --sigma broken.sigma
race ./app --sigma app.c
race ./app --sigma ./app
echo '{"version": 1}' > report.json
race ./app --sigma report.json
race ./app --sigma /dev/zero
race /dev/zero --sigma app.sigma
race ./other --sigma app.sigma
race ./plain --sigma app.sigma
race ./none --sigma app.sigma
race ./app --sigma app.sigma --schedule 1
race ./app --sigma app.sigma --schedule -1
race ./app --sigma app.sigma --format yaml
race ./app --sigma app.sigma --fail-on never
race ./app --sigma app.sigma --timeout soon
race ./app --sigma app.sigma --budget much
race ./app --sigma app.sigma --budget 0
race ./app --sigma app.sigma --baseline app.c
race ./app --sigma app.sigma --baseline none
race ./app --sigma app.sigma --baseline /dev/zero
race ./app --sigma app.sigma --suppressions app.c
race ./app --sigma app.sigma --suppressions none
race ./app --sigma app.sigma --suppressions /dev/zero
race ./app --sigma app.sigma -o none/report
race ./app --sigma app.sigma -o /dev/full
specialize race ./app --sigma app.sigma 2> said > /dev/full; echo "exit $?"; cat said
# What is wrong besides is told before anything is looked at; what cannot be done with findings does not lose them.
race ./none --sigma app.sigma --baseline none
race ./none --sigma app.sigma --suppressions none
race ./none --sigma app.sigma --witness app.c
race ./none --sigma app.sigma --witness none/w
mkdir -p w/0.sched
race ./app --sigma app.sigma --witness w | grep 'error\|WARNING\|Reproduce\|exit'
XDG_CACHE_HOME=/dev/null/none race ./app --sigma app.sigma --replay | sed 's/replay-[0-9a-f-]*:/replay-HASH:/' | grep 'error\|WARNING\|replayed\|exit'
