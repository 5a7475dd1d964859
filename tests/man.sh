#!/bin/sh
# Every verb has a man page, and every option of its --help is on it. $1: the bin folder. $2: docs/man.
bad=0
for v in $("$1/specialize" --help | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p'); do
  page=$2/specialize-$v.1
  [ -e "$page" ] || { echo "no man page for $v"; bad=1; continue; }
  [ "$v" = cc ] && continue
  for o in $("$1/specialize" "$v" --help | sed -n 's/^  \(-[A-Za-z-]*\).*/\1/p'); do
    grep -q -e "^\.It Fl ${o#-}\( \|\$\)" "$page" || { echo "$page does not say $o"; bad=1; }
  done
done
exit $bad
