#include "all.h"
// CFLAGS: -std=c++20
#include <coroutine>
int g; struct Aw{ bool await_ready(){return false;} std::coroutine_handle<> await_suspend(std::coroutine_handle<> h); int*await_resume(){ return &g; } }; std::coroutine_handle<> other; std::coroutine_handle<> Aw::await_suspend(std::coroutine_handle<> h){ auto o=other; other=h; return o; }
struct T{ struct promise_type{ T get_return_object(){ return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend(){return {};} std::suspend_always final_suspend()noexcept{return {};} void return_void(){} void unhandled_exception(){} }; std::coroutine_handle<> h; };
T co(int*p){ Aw a; *p=0; *co_await a=1; } // R
T cb(int*p){ Aw a; *co_await a=1; } // R
T c_; int loc;
void *t(void*){ c_.h.resume(); return 0; } 
int main(){ c_=co(&loc); other=cb(&loc).h; GO(t,0); g=2; // R
 J; return 0;}
