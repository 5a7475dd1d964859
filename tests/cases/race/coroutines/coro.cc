#include "all.h"
// CFLAGS: -std=c++20
#include <coroutine>
int g; struct T{ struct promise_type{ T get_return_object(){ return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend(){return {};} std::suspend_always final_suspend()noexcept{return {};} void return_void(){} void unhandled_exception(){} }; std::coroutine_handle<promise_type> h; };
T co(int*p){ co_await std::suspend_always{}; *p=1; } // R
T c_;
void *t(void*){ c_.h.resume(); c_.h.resume(); return 0; } 
int main(){ c_=co(&g); GO(t,0); g=2; // R
 J; return 0;}
