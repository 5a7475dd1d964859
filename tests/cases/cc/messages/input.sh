try specialize
try specialize nonesuch
try specialize get-bc
try specialize get-bc a b
try specialize get-bc --nonesuch a
try specialize get-bc a -o
try specialize get-bc --text=3 a
specialize --help
for v in get-bc relink doctor; do specialize $v --help; done
specialize --version | sed 's/ [0-9.]* / X /'
