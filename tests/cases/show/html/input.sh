# The page: small, hostile names, every kind of event, large, nothing in it.
command -v python3 > /dev/null || skip 'there is no python3'
page() {
  specialize show "$1.sigma" --html -o "$1.html" && specialize show "$1.sigma" --json -o "$1.json" &&
    python3 page.py "$1.html" "$1.json"
}
page app
printf '%s\n' 'sigma 1' 'program "</script><script>alert(1)</script><!--<b>\xff\x01"' 'module 00' 'schedules 1' \
  'site 0 "<i>f</i>#0" lock "</script>.c:1:2"' 'site 1 "f#1" unlock' 'schedule 0' \
  'origin recorded argv "</script>" exit 0' 'order hb' 'at main' 'when exact (= (argv 1) "</script>")' \
  'object m0 mutex name "<b>"' 't0 lock 0 m0' 't0 unlock 1 m0' 't0 exit' 'end 3' > hostile.sigma
page hostile
for i in 1 2 3 4; do sim_sigma $i 6 300 odd > odd$i.sigma && page odd$i > counts && echo kept; done
sim_sigma 1 8 100000 > large.sigma && page large > counts && echo kept
[ "$(wc -c < large.html)" -lt 4000000 ] || echo 'the page of 100,000 events is large'
printf '%s\n' 'sigma 1' 'program app' 'module 00' 'schedules 0' > none.sigma
page none
