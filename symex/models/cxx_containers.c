// The tree of std::map and std::set, the ring of std::list, the state of a std::thread, laid out as libstdc++
// does.
#include "cxx.h"

// std::thread::_State: a class without data, whose destructor is virtual.
extern const Info info_state __asm__("_ZTINSt6thread6_StateE");
const Info info_state = {class_table + 2, "NSt6thread6_StateE", 0};
typedef struct {
  long offset;
  const void *info;
  void *functions[3];
} StateTable;
void __cxa_pure_virtual(void);
NAMED(void, state_d2, "_ZNSt6thread6_StateD2Ev", void *s) {
  (void)s;
}
NAMED(void, state_d1, "_ZNSt6thread6_StateD1Ev", void *s) {
  (void)s;
}
NAMED(void, state_d0, "_ZNSt6thread6_StateD0Ev", void *s) {
  host_free(s);
}
extern const StateTable table_state __asm__("_ZTVNSt6thread6_StateE");
const StateTable table_state = {0, &info_state, {state_d1, state_d0, __cxa_pure_virtual}};
NAMED(unsigned, hardware, "_ZNSt6thread20hardware_concurrencyEv", void) {
  host_refuse("the number of processors, which the recording does not have");
}

// std::map and std::set: red-black trees, whose nodes begin with this.
typedef struct Node {
  unsigned red;  // as _Rb_tree_color: 0 red, 1 black
  struct Node *parent, *left, *right;
} Node;
enum { RED, BLACK };

static Node *least(Node *n) {
  while (n->left) n = n->left;
  return n;
}
static Node *most(Node *n) {
  while (n->right) n = n->right;
  return n;
}
static Node *after(Node *n) {
  if (n->right) return least(n->right);
  Node *p = n->parent;
  while (n == p->right) n = p, p = p->parent;
  return n->right != p ? p : n;
}
static Node *before(Node *n) {
  if (n->red == RED && n->parent->parent == n) return n->right;  // behind the last: the header
  if (n->left) return most(n->left);
  Node *p = n->parent;
  while (n == p->left) n = p, p = p->parent;
  return p;
}
NAMED(Node *, increment, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", Node *n) {
  return after(n);
}
NAMED(Node *, increment_const, "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", Node *n) {
  return after(n);
}
NAMED(Node *, decrement, "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", Node *n) {
  return before(n);
}
NAMED(Node *, decrement_const, "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", Node *n) {
  return before(n);
}

// Puts `with` where n hangs below its parent.
static void replace(Node *header, Node *n, Node *with) {
  if (header->parent == n)
    header->parent = with;
  else if (n->parent->left == n)
    n->parent->left = with;
  else
    n->parent->right = with;
  if (with) with->parent = n->parent;
}
static void rotate(Node *header, Node *n, bool left) {
  Node *up = left ? n->right : n->left, *moved = left ? up->left : up->right;
  *(left ? &n->right : &n->left) = moved;
  if (moved) moved->parent = n;
  replace(header, n, up);
  *(left ? &up->left : &up->right) = n;
  n->parent = up;
}
NAMED(void, insert, "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", bool left, Node *n,
      Node *p, Node *header) {
  n->parent = p, n->left = n->right = 0, n->red = RED;
  if (left) {
    p->left = n;  // of the header: the least
    if (p == header)
      header->parent = header->right = n;
    else if (p == header->left)
      header->left = n;
  } else {
    p->right = n;
    if (p == header->right) header->right = n;
  }
  while (n != header->parent && n->parent->red == RED) {
    Node *above = n->parent->parent;
    bool is_left = n->parent == above->left;
    Node *uncle = is_left ? above->right : above->left;
    if (uncle && uncle->red == RED) {
      n->parent->red = uncle->red = BLACK, above->red = RED;
      n = above;
      continue;
    }
    if (n == (is_left ? n->parent->right : n->parent->left)) n = n->parent, rotate(header, n, is_left);
    n->parent->red = BLACK, above->red = RED;
    rotate(header, above, !is_left);
  }
  header->parent->red = BLACK;
}
NAMED(Node *, erase, "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", Node *z, Node *header) {
  if (header->left == z) header->left = z->right ? least(z->right) : z->parent;
  if (header->right == z) header->right = z->left ? most(z->left) : z->parent;
  Node *y = z->left && z->right ? least(z->right) : z, *x = y->left ? y->left : y->right,
       *x_parent = y->parent;
  replace(header, y, x);
  unsigned colour = y->red;
  if (y != z) {
    if (x_parent == z) x_parent = y;
    replace(header, z, y);
    y->left = z->left, y->right = z->right, y->red = z->red;
    if (y->left) y->left->parent = y;
    if (y->right) y->right->parent = y;
  }
  while (colour == BLACK && x != header->parent && (!x || x->red == BLACK)) {
    bool is_left = x == x_parent->left;
    Node *w = is_left ? x_parent->right : x_parent->left;
    if (w->red == RED) {
      w->red = BLACK, x_parent->red = RED;
      rotate(header, x_parent, is_left);
      w = is_left ? x_parent->right : x_parent->left;
    }
    Node *near = is_left ? w->left : w->right, *far = is_left ? w->right : w->left;
    if ((!near || near->red == BLACK) && (!far || far->red == BLACK)) {
      w->red = RED, x = x_parent, x_parent = x->parent;
      continue;
    }
    if (!far || far->red == BLACK) {
      near->red = BLACK, w->red = RED;
      rotate(header, w, !is_left);
      w = is_left ? x_parent->right : x_parent->left;
      far = is_left ? w->right : w->left;
    }
    w->red = x_parent->red, x_parent->red = BLACK;
    if (far) far->red = BLACK;
    rotate(header, x_parent, is_left);
    break;
  }
  if (colour == BLACK && x) x->red = BLACK;
  return z;
}

// std::list: a ring of these.
typedef struct Ring {
  struct Ring *next, *before;
} Ring;
NAMED(void, hook, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", Ring *n, Ring *at) {
  n->next = at, n->before = at->before, at->before->next = n, at->before = n;
}
NAMED(void, unhook, "_ZNSt8__detail15_List_node_base9_M_unhookEv", Ring *n) {
  n->before->next = n->next, n->next->before = n->before;
}
NAMED(void, transfer, "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", Ring *at, Ring *first,
      Ring *last) {
  if (at == last) return;
  last->before->next = at, first->before->next = last, at->before->next = first;
  Ring *old = at->before;
  at->before = last->before, last->before = first->before, first->before = old;
}

static void turn(Ring *a) {
  a->next->before = a->before->next = a;
}
NAMED(void, swap_rings, "_ZNSt8__detail15_List_node_base4swapERS0_S1_", Ring *a, Ring *b) {
  bool a_empty = a->next == a, b_empty = b->next == b;
  Ring was = *a;
  *a = *b, *b = was;
  if (b_empty)
    a->next = a->before = a;
  else
    turn(a);
  if (a_empty)
    b->next = b->before = b;
  else
    turn(b);
}
NAMED(void, reverse_ring, "_ZNSt8__detail15_List_node_base10_M_reverseEv", Ring *a) {
  Ring *n = a;
  do {
    Ring *next = n->next;
    n->next = n->before, n->before = next;
    n = next;
  } while (n != a);
}
