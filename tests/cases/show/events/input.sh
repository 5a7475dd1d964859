# One schedule, event by event: calls indent, waits are named, what only keeps an outcome has a star.
try specialize show app.sigma --schedule 0
try specialize show app.sigma --schedule 1
specialize show back.sigma --schedule 0 | sed 1,/^$/d
