#include "all.h"
// CFLAGS: -std=c++20
#include <coroutine>
int g; struct D{ ~D(){ g=1; } }; struct T{ struct promise_type{ T get_return_object(){ return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend(){return {};} std::suspend_always final_suspend()noexcept{return {};} void return_void(){} void unhandled_exception(){} }; std::coroutine_handle<promise_type> h; }; // R
T co(int*p){ D d; co_await std::suspend_always{}; *p=1; }
std::coroutine_handle<> hh;
void *t(void*){ hh.resume(); hh.destroy(); return 0; } 
int main(){ hh=co(&g).h; GO(t,0); g=2; // R
 J; return 0;}
