# What cannot be explained, and why.
specialize-cc -g -O0 -pthread t.c -o t
sed 's/argc > 5/argc > 4/' t.c > other.c
specialize-cc -g -O0 -pthread other.c -o other
specialize record -o t.sigma -- ./t 2>/dev/null
try specialize slice ./t
try specialize slice ./t --sigma none
try specialize slice ./t --sigma t.sigma --schedule 3
try specialize slice ./other --sigma t.sigma 2>&1 | sed 's/is [0-9a-f]*$/is HASH/'
try specialize slice ./t --sigma t.sigma
try specialize slice ./t --sigma t.sigma --target t.c:2
try specialize slice ./t --sigma t.sigma --target t.c:11
try specialize slice ./t --sigma t.sigma --target t.c:4 --thread 0
try specialize slice ./t --sigma t.sigma --target t.c
try specialize slice ./t --sigma t.sigma --target value
try specialize slice ./t --sigma t.sigma --target t.c:4 --crash
try specialize slice ./t --sigma t.sigma --target t.c:4 --why 7
try specialize slice ./t --sigma t.sigma --target t.c:4 --format xml
try specialize slice ./t --sigma t.sigma --target value --expected none
try specialize slice ./t ./u --sigma t.sigma
try specialize slice ./t --sigma t.sigma --runs 3
try specialize slice --runs 3 -- ./t
