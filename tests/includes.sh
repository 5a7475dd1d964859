#!/bin/sh
# A folder's files include of another folder only its one public header; tests may read its tables (*.def) too.
cd "$(dirname "$0")/.." || exit 2
bad=0
for f in $(git ls-files '*.c' '*.h' '*.cpp' 2>/dev/null || find . -name '*.[ch]'); do
  here=$(echo "$f" | sed 's|^\./||; s|^tests/rt/|rt/|; s|/.*||')  # the runtime is tested from within
  case $f in *tests/checks/*) continue ;; esac  # and so are the checks of whole structures
  sed -n 's/^ *# *include *"\([^"]*\/[^"]*\)".*/\1/p' "$f" | while read -r inc; do
    to=${inc%%/*}
    [ "$inc" = "$to/$to.h" ] || [ "$to" = "$here" ] || [ "$here ${inc%.def}.def" = "tests $inc" ] || { echo "$f includes $inc"; exit 1; }
  done || bad=1
done
exit $bad
