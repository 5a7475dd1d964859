# Spaces, quotes, newlines, dashes, parentheses in names.
nl='two
lines'
for n in 'a b' "it's" 'say "x"' "$nl" '(paren)' 'back\slash' '$dollar' 'ü'; do
  rm -rf work && mkdir "work" && cd work
  main_of f "$n.c"
  echo 'int f(void) { return 3; }' > "lib $n.c"
  specialize-cc -c "$n.c" -o "$n.o" && specialize-cc -c "lib $n.c" -o "lib $n.o" && ar rcs "lib$n.a" "lib $n.o"
  specialize-cc "$n.o" "lib $n.o" -o "$n" && "./$n" && functions "./$n"
  case $n in *"$nl"*) ;; *) specialize-cc "$n.o" "lib$n.a" -o "$n" && "./$n" && functions "./$n" ;; esac
  rm -f *.o *.a
  specialize relink "./$n" -o "again $n" && "./again $n"
  cd ..
done
