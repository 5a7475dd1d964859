long limit = 77, common_one = 9;
long step(long n) {
  return n + 40;
}
