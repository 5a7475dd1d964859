# Verbs and options are asked of the command itself, so this never falls behind.
complete -c specialize -n __fish_use_subcommand -f -a "(specialize --help 2> /dev/null | string replace -rf '^  ([a-z][a-z-]*)  +([a-z].*)' '\$1\t\$2')"
complete -c specialize -n 'not __fish_use_subcommand' -a "(specialize (commandline -opc)[2] --help 2> /dev/null | string replace -rf '^  (--?[A-Za-z-]+) +[A-Z]* *(.*)' '\$1\t\$2')"
