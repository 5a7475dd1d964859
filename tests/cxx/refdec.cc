// A reference count of one's own: whoever takes the last one deletes.
#include <atomic>
#include <cstdio>
#include <thread>
struct Node {
  std::atomic<int> refs{2};
  int value = 0;
};
static void drop(Node *n) {
  if (n->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    std::printf("%d\n", n->value);
    delete n;
  }
}
int main() {
  Node *n = new Node;
  n->value = 5;
  std::thread t([n] {
    int v = n->value;  // R
    if (v != 5) std::printf("changed\n");
    drop(n);
  });
#ifdef RACY
  n->value = 6;  // R
#endif
  drop(n);
  t.join();
}
