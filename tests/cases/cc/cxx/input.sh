cat > a.cc <<X
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
int thrower(int);
int main() {
  std::vector<std::string> v{"a", "b"};
  try { thrower((int)v.size()); } catch (const std::exception &e) { std::printf("%s\n", e.what()); }
}
X
cat > b.cc <<X
#include <stdexcept>
#include <string>
int thrower(int x) { std::string s = "number " + std::to_string(x); throw std::runtime_error(s); }
X
specialize-c++ -O2 -c a.cc && specialize-c++ -O2 -c b.cc && specialize-c++ a.o b.o -o app && ./app
specialize relink app -o again && ./again
for o in -O0 -O3; do specialize-c++ $o a.cc b.cc -o app && specialize relink app -o again && ./again; done
specialize cc --version | head -n 1 | grep -c 'clang version 19'
