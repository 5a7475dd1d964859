#include <pthread.h>
typedef float M __attribute__((matrix_type(2,2))); M m; float b[8];
void *t(void*a){ __builtin_matrix_column_major_store(m,b,3); return 0; } // R
int main(void){ pthread_t th; pthread_create(&th, 0, t, 0); b[4]=2; // R
 pthread_join(th, 0); return 0;}
