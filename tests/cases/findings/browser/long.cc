#include <map>
#include <string>
#include <thread>
#include <vector>
#include <unordered_map>
#include <functional>
#include <cstdio>
namespace a_rather_long_namespace_for_a_component { namespace detail_of_the_implementation {
template <class K, class V, class H> struct ConcurrentlyAccessedAssociativeContainer {
  std::unordered_map<K, std::vector<V>, H> entries_of_the_container; long number_of_modifications_so_far = 0;
  void insert_or_assign_without_any_locking(const K &k, const V &v) { ++number_of_modifications_so_far; (void)k; (void)v; }
};
}}
using Box = a_rather_long_namespace_for_a_component::detail_of_the_implementation::ConcurrentlyAccessedAssociativeContainer<std::string, std::map<std::string, std::vector<std::function<void(int, std::string)>>>, std::hash<std::string>>;
static Box the_global_box_with_a_long_name;
int main() {
  std::vector<std::thread> t;
  for (int i = 0; i < 2; ++i) t.emplace_back([] { the_global_box_with_a_long_name.insert_or_assign_without_any_locking("x", {}); });
  for (auto &x : t) x.join();
  printf("%ld\n", the_global_box_with_a_long_name.number_of_modifications_so_far);
}
