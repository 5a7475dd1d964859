# Each race with a file that `replay` follows, and the line that does it in the report.
. "$TOP/tests/races.sh"
cp "$TOP/tests/programs/racy.c" .
made racy 2 101
try specialize race --all ./racy --sigma racy.sigma --witness w | grep -E 'Reproduce|^exit|^specialize'
ls w
for f in w/*; do specialize check ./racy $f && specialize replay ./racy $f 2>&1 | grep -o "^replayed"; done
# The same directory again is fine; one that cannot be is not.
specialize race --all ./racy --sigma racy.sigma --witness w > out; ls w | wc -l
try specialize race --all ./racy --sigma racy.sigma --witness racy.c
try specialize race --all ./racy --sigma racy.sigma --witness none/w
