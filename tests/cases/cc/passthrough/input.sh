main_of f main.c
echo 'int f(void) { return 3; }' > f.c
SPECIALIZE_PASSTHROUGH=1 specialize-cc main.c f.c -o a && clang-19 main.c f.c -o b && cmp a b && echo same
try specialize get-bc a
SPECIALIZE_PASSTHROUGH=0 specialize-cc main.c f.c -o a && functions a
SPECIALIZE_PASSTRHOUGH=1 specialize-cc main.c f.c -o a
