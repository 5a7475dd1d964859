# In one command: recorded until it fails, and explained.
specialize-cc -g -O0 -pthread t.c -o t
specialize slice --crash -- ./t
