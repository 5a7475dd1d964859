# Coroutines: who resumes them, and in which thread, is not followed, and said.
. "$TOP/tests/marked.sh"
marked "-O0 -O1 -O2" -std=c++20
