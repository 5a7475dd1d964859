# Gives all that an archive defines, and is not for generated code, names that begin with rt_own_: it is linked into
# programs that may call something `rec` or `joining` themselves.
cmake_policy(SET CMP0007 NEW)
execute_process(COMMAND ${nm} -g --defined-only -P ${archive} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${text}")
list(FILTER lines INCLUDE REGEX "^[A-Za-z_][A-Za-z0-9_]* ")
list(FILTER lines EXCLUDE REGEX "^(rt_|free |realloc |munmap )")  # those replace the C library's
list(TRANSFORM lines REPLACE " .*" "")
list(TRANSFORM lines REPLACE "(.+)" "\\1 rt_own_\\1\n")
list(JOIN lines "" names)
file(WRITE ${archive}.names "${names}")
execute_process(COMMAND ${objcopy} --redefine-syms=${archive}.names ${archive} COMMAND_ERROR_IS_FATAL ANY)
