# A schedule that begins inside main: what main does before is looked at too.
. "$TOP/tests/races.sh"
for app in at_race:14 at_alias:14; do
  name=${app%:*}
  echo "$name:"
  made $name 1
  sed -i "s/^at main$/at main:$name.c:${app#*:}/" $name.sigma
  specialize check $name $name.sigma
  races $name
done
specialize alias at_alias --sigma at_alias.sigma at_alias.c:8
