extern "C" int guarded(void (*f)(int), int k) {
  try {
    f(k);
  } catch (...) {
    return 1;
  }
  return 0;
}
