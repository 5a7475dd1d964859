int from_lto(void) { return 77; }
