int never_pulled(void) { return 1; }
