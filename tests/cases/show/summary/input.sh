# Where schedules come from, when they hold, how much is in them; a crash, a run cut short, one without events of note.
try specialize show fig1.sigma
try specialize show many.sigma
specialize show many.sigma -o out.txt && specialize show many.sigma | cmp - out.txt
