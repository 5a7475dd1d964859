#include <string>
int main(int, char **v) {
  std::string s(v[0], v[0] + 1);
  return s.size() != 1;
}
