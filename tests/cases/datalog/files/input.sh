# What is written is read again, as tuples and as BDDs, under another order of variables and into larger domains.
specialize datalog make.datalog -o out && (cd out && ls && cat t.tuples && head -n 4 b.bdd)
try specialize datalog read.datalog --explain | grep -v '^ *[0-9.]* *[0-9]* *[0-9]*  read\|seconds\|nodes'
specialize datalog read.datalog --input out -o again
specialize datalog larger.datalog
# Without a header: variables by bddinfo.
printf '%s\n' V V H > out/bddinfo
sed '/^#/d' out/b.bdd > out/h.bdd && specialize datalog plain.datalog
