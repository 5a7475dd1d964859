# Wrong programs and files: where, and what to do.
one() { printf '%s\n' "$@" > x.datalog; try specialize datalog x.datalog; }
D='V 8'; R='r (a:V0, b:V1)'
one 'V 0'
one 'V 99999999999999999999999'
one "$D" "$D"
one "$D" 'r (a:W0)'
one "$D" 'r (a:V0, b:V0)'
one "$D" 'r (a:V0 b:V1)'
one "$D" 'r (a V0)'
one "$D" 'r (a:V0) inputs'
one "$D" 'r (a:V0) x<a'
one "$D" 'r (a:V0) { f(r); }'
one "$D" "$R" 'r (a:V0)'
one "$D" 's(x) :- r(x).' 'r (a:V0)'
one "$D" "$R" 'r(1).'
one "$D" "$R" 'r(1,2)'
one "$D" "$R" 'r(1,8).'
one "$D" "$R" 'r(1,"x).'
one "$D" "$R" 'r(a,b) :- r(a,c), \' '   r(c,b) r(a,b).'
one "$D" "$R" 'r(a,b) :- r(a,_), _ = b.'
one "$D" "$R" 'r(a,b) :- r(a,b), 1 = 2.'
one "$D" "$R" 'r(a,b) :- r(a,b), a => 2.'
one "$D" "$R" 's (a:V0)' 's(a) :- x = y, r(a,_).'
one "$D" 'W 8' "$R" 's (a:W0)' 's(a) :- r(a,_).'
one "$D" "$R" 's(3) :- r(_,_).'
one .strict "$D" "$R" 's(a) :- r(a,_).'
one "$D" "$R" '!r(a,b) :- r(a,b).'
one "$D" "$R" 'r(a,b) :- r(a,b). fast'
one "$D" "$R" 'r(a,b) :- r(a,b). modifies r'
one "$D" "$R" 'r(a,b) :- r(b,a), !r(a,b).'
one "$D" 'p (a:V0)' 'q (a:V0)' 'n (a:V0)' 'p(x) :- n(x), !q(x).' 'q(x) :- n(x), !p(x).'
one "$D" "$R" 'r(a,b) :- r(a,b), r(a,c).'
one "$D" "$R" 'n (a:V0, b:V1, c:V2)' 'n(a,b,c) :- r(a,b). number'
one "$D" "$R" 'n (a:V0, b:V1, c:V2, d:V3)' 's (a:V0)' 'n(a,b,c,d) :- s(a), n(a,b,_,_). number'
one "$D" "$R" 'n (a:V0, b:V1, c:V2, d:V3)' 's (a:V0)' 's(a) :- n(a,_,_,_).' 'n(a,b,c,d) :- s(a), r(a,b). number'
one .frob
one '.include "missing.inc"'
echo '.include "loop.inc"' > loop.inc; one '.include "loop.inc"'
one '.include "unclosed'
one 'V 8 missing.map'
one "$D" "$R" '.bddvarorder V0xW1'
one "$D" "$R" '.bddvarorder V0_V0'
one '§ 8'
one "$D" 'r (a:V0) input'
one .strict "$D" 'r (a:V0) input'
one "$D" "$R" 'r(a,a)? project'
file() { printf '%s\n' "$@" > in.$kind; printf '%s\n' 'V 8' 'H 4' "in (v:V0, h:H0) input$more" > x.datalog; try specialize datalog x.datalog; }
kind=tuples more=tuples
file '1 2' '1'
file '1 2 3'
file '1 x'
file '1 3-'
file '1 3-2'
file '8 1'
file '# V0:3 H1:2' '1 1'
file '# V0:3' '1 1'
file '# V0:3 V0:3'
file '# V0:4 H0:2'
file '# V0'
kind=bdd more=
file ''
file '0 0 2'
file '5'
file '1 5'
file '# V0:3 H0:2' '# 0 1 2'
file '# V0:3 H0:2' '# 0 1 2 3' '# 3 4'
file '# V0:3 H0:2' '# 0 1 x' '# 3 4'
printf '%s\n' V H > bddinfo
file '1 5' '0 1 2 3 4'
file '1 5' '0 1 2'
file '1 5' '0 1 2 3 4' '5 2 0'
file '1 5' '0 1 2 3 4' '5 7 0 1'
file '1 5' '0 1 2 3 4' '5 2 9 1'
file '2 5' '0 1 2 3 4' '5 2 0 1' '5 3 0 1'
file '9999999999 5' '0 1 2 3 4'
printf '%s\n' H V V > bddinfo; file '1 7' '0 1 2 3 4 5 6' '5 6 0 1'
try specialize datalog
try specialize datalog missing.datalog
try specialize datalog x.datalog --order V0_
try specialize datalog x.datalog --trials 3
try specialize datalog x.datalog --nodes 10
try specialize datalog x.datalog --seconds soon
one "$D" "$R" 'r(1,2).'; try specialize datalog x.datalog --order 'search' --trials 0
printf '%s\n' V V V > bddinfo; one "$D" 'r (a:V0) output' 'r(1).'; try specialize datalog x.datalog -o /nonexistent/dir
all() { seq -f "x$1_%.0f" -s , 64; }
one 'V 9223372036854775807' "r ($(seq -f 'a%.0f:V' -s , 64))" \
  "r($(all 1)) :- r($(all 1)), r($(all 2)), r($(all 3)), r($(all 4)), r($(all 2)), r($(all 3)), r($(all 4)), r($(all 5)), r($(all 5))."
