int never_pulled(void); int main(void) { return never_pulled() - 1; }
