void queue_fill(int n);
int queue_take(void);
void queue_add(int v);
int queue_sum(void);
void *left(void *), *right(void *);
int low(int), shared(int);
