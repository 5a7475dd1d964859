# Nothing in there: said, not failed over.
printf '%s\n' 'sigma 1' 'program app' 'module 00' 'schedules 0' > none.sigma
printf '%s\n' 'sigma 1' 'program app' 'module 00' 'schedules 1' 'schedule 0' 'origin recorded' 'order hb' 'at main' \
  'when false' 'incomplete' 'end 0' > bare.sigma
try specialize show none.sigma
try specialize show none.sigma --json
try specialize show none.sigma --schedule 0
try specialize show bare.sigma --schedule 0
