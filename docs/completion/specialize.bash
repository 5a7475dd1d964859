# Verbs and options are asked of the command itself, so this never falls behind.
_specialize() {
  local cur=${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" = 1 ]; then
    words=$(specialize --help 2> /dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p')
  elif [ "${cur#-}" != "$cur" ]; then
    words=$(specialize "${COMP_WORDS[1]}" --help 2> /dev/null | sed -n 's/^  \(--*[A-Za-z-]*\).*/\1/p')
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _specialize specialize
