#pragma once
#include <array>
#include <initializer_list>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#define D __device__
#define C constexpr __device__
__device__ unsigned trace;
D inline void note(int v) { trace = trace * 31u + unsigned(v); }
D inline int say(int v) { note(v); return v; }
struct Obj { // which tells what happens to it
	int v;
	D Obj(int v = 1) : v(v) { note(v + 10); }
	D Obj(const Obj &o) : v(o.v) { note(v + 20); }
	D Obj(Obj &&o) : v(o.v) { o.v = 0; note(v + 30); }
	D Obj &operator=(const Obj &o) { v = o.v; note(v + 40); return *this; }
	D Obj &operator=(Obj &&o) { v = o.v; o.v = 0; note(v + 50); return *this; }
	D ~Obj() { note(v + 60); }
	D operator int() const { return v; }
};
