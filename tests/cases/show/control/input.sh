# Nothing of a program's names, nor of a file of schedules, reaches an output as it is, in any format.
export XDG_CACHE_HOME=$PWD/cache
specialize-cc -g -pthread app.c -o app
specialize record -o app.sigma -- ./app > record.txt 2>&1
for format in text json sarif github html; do specialize race ./app --sigma app.sigma --witness w --format $format > race.$format 2>&1; done
specialize show app.sigma > show.txt 2>&1
specialize show app.sigma --schedule 0 > schedule.txt 2>&1
specialize show app.sigma --json > show.json 2>&1
specialize alias ./app --shared > alias.txt 2>&1
specialize alias ./app --shared --json > alias.json 2>&1
specialize replay ./app w/0.sched > replay.txt 2>&1
specialize replay ./app w/0.sched --json > replay.json 2>&1
specialize doctor ./app > doctor.txt 2>&1
specialize constrain app.sigma --schedule 0 --when true
for kind in abort free; do
  specialize build ./app --sigma app.sigma -o $kind --on-divergence $kind > build-$kind.txt 2>&1
  SPECIALIZE_VERBOSE=1 ./$kind 2 > run-$kind.txt 2>&1
done
head -c -200 app.sigma > cut.sigma
specialize check ./app cut.sigma > check.txt 2>&1
sed 's/^when true/when (= (argv 1) "\\x1b[31m")/' app.sigma > text.sigma
specialize show text.sigma --schedule 0 > text.txt 2>&1
python3 raw.py record.txt race.* show.* schedule.txt alias.* replay.* doctor.txt build-* run-* check.txt text.txt w/0.sched app.sigma
grep -c "x1b.*wrk" run-abort.txt
