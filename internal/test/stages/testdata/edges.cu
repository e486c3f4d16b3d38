// What decides at the edge of a rule, a kernel each.
struct A { int v; __device__ A(const int &x, int &&y) : v(x + y) {} };
struct B : A { using A::A; };
__global__ void inherited(int *o, int n) { B b(n, 3); o[0] = b.v; }
template <class R> __device__ R called(R (&f)(int), int x) { return f(x); }
__device__ int twice(int x) { return 2 * x; }
__global__ void deduced(int *o, int n) { o[0] = called(twice, n); }
