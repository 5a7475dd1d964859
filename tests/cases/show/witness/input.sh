# A witness of a race is shown as any schedule, with its accesses.
cat > race.sched <<X
sigma 1
program app
module 0123456789abcdef0123456789abcdef
site 0 main#1 create app.c:9:3
access 0 worker%4 write 4 app.c:4:9
access 1 look%2 read app.c:5:1
schedule 0
origin written argv "./app"
order hb
at main
when false
incomplete
t0 create 0 t1
t0 create 0 t2
t1 enter worker
t2 enter look
t1 access 0 3
t2 access 1
end
X
specialize show race.sched --schedule 0
specialize show race.sched --json
specialize show race.sched --trace | grep access
specialize show race.sched --html | grep -o '"ops":.*]]' | head -1
specialize show race.sched --html | grep -o '"sites":\[[^]]*\]'
