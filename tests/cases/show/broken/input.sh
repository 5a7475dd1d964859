# A message with file and line, and 2.
head -n 12 "$TOP/tests/cases/show/summary/fig1.sigma" > cut.sigma
sed 's/^t1 unlock 3 m0/t2 unlock 3 m0/' "$TOP/tests/cases/show/summary/fig1.sigma" > impossible.sigma
sed 's/^t1 lock 2/t1 lock 9/' "$TOP/tests/cases/show/summary/fig1.sigma" > unknown.sigma
sed 's/^sigma 1/sigma 2/' "$TOP/tests/cases/show/summary/fig1.sigma" > newer.sigma
cp "$TOP/tests/cases/show/summary/fig1.sigma" good.sigma
for f in cut impossible unknown newer missing; do try specialize show $f.sigma; done
try specialize show impossible.sigma --json
for n in 1 -1 x '' 99999999999999999999 4294967296; do try specialize show good.sigma --schedule "$n"; done
try specialize show
try specialize show good.sigma --json -o /nonexistent/x
specialize show good.sigma > /dev/full || echo "exit $?"
echo kept > out.json && try specialize show cut.sigma --json -o out.json && cat out.json
