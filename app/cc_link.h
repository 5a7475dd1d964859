// app/cc_link -- between the compiler and the linker: links as asked, then has the bitcode of what the
// linker took joined and stored in the result.
#pragma once

int link_main(char **argv);
// Gives the bitcode sections of a fresh object their names; anything else is left alone.
void retag_object(const char *path);
