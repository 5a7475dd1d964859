export XDG_CACHE_HOME=$PWD/cache SPECIALIZE_VERBOSE=1
specialize-c++ -O1 -g -pthread exceptions.cc -o app
specialize record -o app.sigma -- ./app 2>&1 | sed 's/, [0-9]* events.*//'
specialize constrain app.sigma --schedule 0 --when true
specialize build ./app --sigma app.sigma -o app.spec 2>&1 | grep -v cloned
for i in 1 2 3; do try ./app.spec; done
try ./app.spec 5 2>&1 | sed 's/: thread [0-9] .*/: …/'
