int shared(int x) { return 2 * x; }
