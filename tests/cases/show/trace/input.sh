# A trace that Perfetto opens: small, of all kinds of events with odd names, large, without anything.
command -v python3 > /dev/null || skip 'there is no python3'
specialize show app.sigma --trace --schedule 0
specialize show app.sigma --trace -o app.json && python3 rules.py app.json
specialize show back.sigma --trace -o back.json && python3 rules.py back.json && grep call back.json
for i in 1 2 3 4 5 6 7 8; do
  sim_sigma $i 6 300 odd > odd.sigma && specialize show odd.sigma --trace -o odd$i.json && python3 rules.py odd$i.json > counts && echo kept
done
sim_sigma 1 8 100000 > large.sigma && specialize show large.sigma --trace -o large.json && python3 rules.py large.json > counts && echo kept
printf '%s\n' 'sigma 1' 'program app' 'module 00' 'schedules 0' > none.sigma
specialize show none.sigma --trace -o none.json && python3 rules.py none.json
