#include "all.h"
#include <glob.h>
#include <dirent.h>
#include <sys/stat.h>
int g; void*od(const char*d){ g++; return 0; } // R
void *t(void*a){ glob_t gl={0}; gl.gl_opendir=od; gl.gl_stat=(void*)stat; gl.gl_lstat=(void*)lstat; glob("/tmp/*",GLOB_ALTDIRFUNC,0,&gl); return 0; }
int main(void){ GO(t,0); g=3; // R
 J; return 0;}
