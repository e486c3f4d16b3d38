// What device code takes of the standard library's headers, as ordinary C++ (C++17 [meta], [utility], [limits], [array]).
// What nvcc declares without an include.
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
template <class T, int Type = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType> struct texture;
template <class T, int Type = cudaSurfaceType1D> struct surface;
struct alignas(64) CUtensorMap { unsigned long words[16]; };
__device__ inline long lround(double x) { return (long)round(x); }
__device__ inline long lround(float x) { return (long)round(x); }
__device__ inline long lroundf(float x) { return (long)roundf(x); }
__device__ inline long lrint(double x) { return (long)rint(x); }
__device__ inline long lrint(float x) { return (long)rint(x); }
__device__ inline long lrintf(float x) { return (long)rintf(x); }
__device__ inline long long llround(double x) { return (long long)round(x); }
__device__ inline long long llround(float x) { return (long long)round(x); }
__device__ inline long long llroundf(float x) { return (long long)roundf(x); }
__device__ inline long long llrint(double x) { return (long long)rint(x); }
__device__ inline long long llrint(float x) { return (long long)rint(x); }
__device__ inline long long llrintf(float x) { return (long long)rintf(x); }

namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
typedef decltype(nullptr) nullptr_t;
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::lgamma;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::lrint;
using ::lround;
using ::memcpy;
using ::memset;
using ::modf;
using ::nearbyint;
using ::pow;
using ::printf;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;

template <class T, T v> struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  typedef integral_constant type;
  constexpr operator T() const { return v; }
  constexpr T operator()() const { return v; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class...> using void_t = void;

template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;

template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_volatile<typename remove_const<T>::type>::type type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct remove_extent { typedef T type; };
template <class T, size_t N> struct remove_extent<T[N]> { typedef T type; };
template <class T> struct kl_decay { typedef typename remove_cv<T>::type type; };
template <class T> struct kl_decay<T[]> { typedef T *type; };
template <class T, size_t N> struct kl_decay<T[N]> { typedef T *type; };
template <class T> struct decay : kl_decay<typename remove_reference<T>::type> {};
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };

template <class T> struct is_integral : bool_constant<__is_integral(T)> {};
template <class T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <class T> struct is_arithmetic : bool_constant<__is_integral(T) || __is_floating_point(T)> {};
template <class T> struct is_signed : bool_constant<__is_signed(T)> {};
template <class T> struct is_unsigned : bool_constant<__is_integral(T) && !__is_signed(T)> {};
template <class T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <class T, class U> struct is_convertible : bool_constant<__is_convertible(T, U)> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T &> : true_type {};
template <class T> struct is_reference<T &&> : true_type {};
template <class T> struct is_array : false_type {};
template <class T, size_t N> struct is_array<T[N]> : true_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T> struct is_member_pointer : false_type {};
template <class T, class C> struct is_member_pointer<T C::*> : true_type {};
template <class T> struct is_void : is_same<void, typename remove_cv<T>::type> {};
template <class T> struct is_fundamental : bool_constant<is_arithmetic<T>::value || is_void<T>::value> {};
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class T> struct is_empty : bool_constant<__is_empty(T)> {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T &> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T &&> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct type_identity { typedef T type; };
template <class T> struct add_volatile { typedef volatile T type; };
template <class T> struct add_cv { typedef const volatile T type; };
template <class T> struct add_lvalue_reference { typedef T &type; };
template <class T> struct add_rvalue_reference { typedef T &&type; };
template <> struct add_lvalue_reference<void> { typedef void type; };
template <> struct add_rvalue_reference<void> { typedef void type; };
template <class T> struct remove_all_extents { typedef T type; };
template <class T, size_t N> struct remove_all_extents<T[N]> { typedef typename remove_all_extents<T>::type type; };
template <class T> struct remove_cvref { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> struct rank : integral_constant<size_t, 0> {};
template <class T, size_t N> struct rank<T[N]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <class T, unsigned I = 0> struct extent : integral_constant<size_t, 0> {};
template <class T, size_t N> struct extent<T[N], 0> : integral_constant<size_t, N> {};
template <class T, size_t N, unsigned I> struct extent<T[N], I> : extent<T, I - 1> {};
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> typename add_rvalue_reference<T>::type declval();
template <class... Ts> struct common_type;
template <class T> struct common_type<T> { typedef typename decay<T>::type type; };
template <class T, class U> struct common_type<T, U> { typedef typename decay<decltype(true ? declval<T>() : declval<U>())>::type type; };
template <class T, class U, class... Rest> struct common_type<T, U, Rest...> : common_type<typename common_type<T, U>::type, Rest...> {};
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> struct make_unsigned { typedef T type; };
template <class T> struct make_signed { typedef T type; };
#define KL_SIGNS(S, U) template <> struct make_unsigned<S> { typedef U type; }; template <> struct make_signed<U> { typedef S type; };
KL_SIGNS(signed char, unsigned char) KL_SIGNS(short, unsigned short) KL_SIGNS(int, unsigned) KL_SIGNS(long, unsigned long)
KL_SIGNS(long long, unsigned long long)
#undef KL_SIGNS
template <> struct make_unsigned<char> { typedef unsigned char type; };
template <> struct make_signed<char> { typedef signed char type; };
template <class B> struct negation : bool_constant<!bool(B::value)> {};
template <class... Bs> struct conjunction : bool_constant<(bool(Bs::value) && ...)> {};
template <class... Bs> struct disjunction : bool_constant<(bool(Bs::value) || ...)> {};
template <class F, class... As> struct invoke_result { typedef decltype(declval<F>()(declval<As>()...)) type; };
template <class T> using add_const_t = const T;
#define KL_TYPE(name) template <class T> using name##_t = typename name<T>::type;
KL_TYPE(remove_const) KL_TYPE(remove_cv) KL_TYPE(remove_reference) KL_TYPE(remove_pointer) KL_TYPE(decay)
KL_TYPE(add_pointer) KL_TYPE(remove_volatile) KL_TYPE(remove_extent) KL_TYPE(remove_cvref) KL_TYPE(make_unsigned)
KL_TYPE(make_signed) KL_TYPE(underlying_type)
#undef KL_TYPE
template <class E> constexpr underlying_type_t<E> to_underlying(E e) { return static_cast<underlying_type_t<E>>(e); }
template <class... Ts> using common_type_t = typename common_type<Ts...>::type;
template <class F, class... As> using invoke_result_t = typename invoke_result<F, As...>::type;
template <class... Bs> inline constexpr bool conjunction_v = conjunction<Bs...>::value;
template <class... Bs> inline constexpr bool disjunction_v = disjunction<Bs...>::value;
template <class B> inline constexpr bool negation_v = negation<B>::value;
#define KL_VALUE(name) template <class T> inline constexpr bool name##_v = name<T>::value;
KL_VALUE(is_void) KL_VALUE(is_const) KL_VALUE(is_reference) KL_VALUE(is_lvalue_reference) KL_VALUE(is_array)
KL_VALUE(is_enum) KL_VALUE(is_class) KL_VALUE(is_empty) KL_VALUE(is_fundamental) KL_VALUE(is_trivially_copyable)
KL_VALUE(is_integral) KL_VALUE(is_floating_point) KL_VALUE(is_arithmetic) KL_VALUE(is_signed) KL_VALUE(is_unsigned)
KL_VALUE(is_pointer) KL_VALUE(is_rvalue_reference) KL_VALUE(is_volatile)
#undef KL_VALUE
template <class B, class D> inline constexpr bool is_base_of_v = is_base_of<B, D>::value;
template <class T, class U> inline constexpr bool is_convertible_v = is_convertible<T, U>::value;
template <class T, unsigned I = 0> inline constexpr size_t extent_v = extent<T, I>::value;
template <class T> inline constexpr size_t rank_v = rank<T>::value;

template <class T> constexpr typename remove_reference<T>::type &&move(T &&x) { return static_cast<typename remove_reference<T>::type &&>(x); }
template <class T> constexpr T &&forward(typename remove_reference<T>::type &x) { return static_cast<T &&>(x); }
template <class T> void swap(T &a, T &b) { T t = move(a); a = move(b); b = move(t); }
// By value: the operands are registers.
template <class T> constexpr T min(const T &a, const T &b) {
  if constexpr (is_integral<T>::value) return ::min(a, b);
  T x = a, y = b;
  return y < x ? y : x;
}
// Lists in braces [support.initlist].
template <class T> class initializer_list {
  const T *__begin;
  size_t __size;

 public:
  using value_type = T;
  using reference = const T &;
  using const_reference = const T &;
  using size_type = size_t;
  using iterator = const T *;
  using const_iterator = const T *;
  constexpr __device__ initializer_list() : __begin(nullptr), __size(0) {}
  constexpr __device__ initializer_list(const T *begin, size_t size) : __begin(begin), __size(size) {}
  constexpr __device__ size_t size() const { return __size; }
  constexpr __device__ const T *begin() const { return __begin; }
  constexpr __device__ const T *end() const { return __begin + __size; }
};
template <class T> constexpr __device__ const T *begin(initializer_list<T> l) { return l.begin(); }
template <class T> constexpr __device__ const T *end(initializer_list<T> l) { return l.end(); }
template <class T> constexpr __device__ T max(initializer_list<T> l) {
  T m = *l.begin();
  for (T x : l) m = m < x ? x : m;
  return m;
}
template <class T> constexpr __device__ T min(initializer_list<T> l) {
  T m = *l.begin();
  for (T x : l) m = x < m ? x : m;
  return m;
}
template <class T> constexpr T max(const T &a, const T &b) {
  if constexpr (is_integral<T>::value) return ::max(a, b);
  T x = a, y = b;
  return x < y ? y : x;
}

template <class T> constexpr const T &clamp(const T &x, const T &low, const T &high) { return x < low ? low : high < x ? high : x; }
template <class T, class U = T> constexpr T exchange(T &x, U &&y) {
  T old = move(x);
  x = forward<U>(y);
  return old;
}

template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  constexpr pair() : first(), second() {}
  constexpr pair(const A &x, const B &y) : first(x), second(y) {}
  template <class U, class V> constexpr pair(U &&x, V &&y) : first(forward<U>(x)), second(forward<V>(y)) {}
  template <class U, class V> constexpr pair(const pair<U, V> &p) : first(p.first), second(p.second) {}
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) {
  return pair<decay_t<A>, decay_t<B>>(forward<A>(a), forward<B>(b));
}

template <class T, size_t N> struct array {
  T elems[N];
  constexpr T &operator[](size_t i) { return elems[i]; }
  constexpr const T &operator[](size_t i) const { return elems[i]; }
  constexpr bool operator==(const array &o) const {
    for (size_t i = 0; i < N; i++)
      if (!(elems[i] == o.elems[i])) return false;
    return true;
  }
  constexpr bool operator!=(const array &o) const { return !(*this == o); }
  constexpr size_t size() const { return N; }
  constexpr T *data() { return elems; }
  constexpr const T *data() const { return elems; }
  constexpr T *begin() { return elems; }
  constexpr const T *begin() const { return elems; }
  constexpr bool empty() const { return N == 0; }
  constexpr T &front() { return elems[0]; }
  constexpr const T &front() const { return elems[0]; }
  constexpr T &back() { return elems[N - 1]; }
  constexpr const T &back() const { return elems[N - 1]; }
  constexpr void fill(const T &x) {
    for (size_t i = 0; i < N; i++) elems[i] = x;
  }
  constexpr T *end() { return elems + N; }
  constexpr const T *end() const { return elems + N; }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
// Ranges [iterator.range].
template <class T, size_t N> constexpr T *begin(T (&a)[N]) { return a; }
template <class T, size_t N> constexpr T *end(T (&a)[N]) { return a + N; }
template <class T, size_t N> constexpr size_t size(const T (&)[N]) { return N; }
template <class R> constexpr auto begin(R &r) -> decltype(r.begin()) { return r.begin(); }
template <class R> constexpr auto end(R &r) -> decltype(r.end()) { return r.end(); }
template <class R> constexpr auto size(const R &r) -> decltype(r.size()) { return r.size(); }

// The members that a bound of a type tells. Of a type without limits all are zero.
template <class T> struct numeric_limits {
  static constexpr bool is_specialized = false;
  static constexpr T max() { return T(); }
  static constexpr T min() { return T(); }
  static constexpr T lowest() { return T(); }
};
#define KL_LIMITS(T, low, high, bits) \
template <> struct numeric_limits<T> { \
  static constexpr bool is_specialized = true, is_integer = true, is_signed = low < 0, has_infinity = false; \
  static constexpr int digits = bits; \
  static constexpr T max() { return high; } \
  static constexpr T min() { return low; } \
  static constexpr T lowest() { return low; } \
};
KL_LIMITS(bool, false, true, 1)
KL_LIMITS(char, -128, 127, 7)
KL_LIMITS(signed char, -128, 127, 7)
KL_LIMITS(unsigned char, 0, 255, 8)
KL_LIMITS(short, -32768, 32767, 15)
KL_LIMITS(unsigned short, 0, 65535, 16)
KL_LIMITS(int, -2147483647 - 1, 2147483647, 31)
KL_LIMITS(unsigned int, 0, 4294967295u, 32)
KL_LIMITS(long, -9223372036854775807L - 1, 9223372036854775807L, 63)
KL_LIMITS(unsigned long, 0, 18446744073709551615uL, 64)
KL_LIMITS(long long, -9223372036854775807LL - 1, 9223372036854775807LL, 63)
KL_LIMITS(unsigned long long, 0, 18446744073709551615uLL, 64)
#undef KL_LIMITS
#define KL_LIMITS(T, small, large, step, bits, one) \
template <> struct numeric_limits<T> { \
  static constexpr bool is_specialized = true, is_integer = false, is_signed = true, has_infinity = true; \
  static constexpr int digits = bits; \
  static constexpr T max() { return large; } \
  static constexpr T min() { return small; } \
  static constexpr T lowest() { return -large; } \
  static constexpr T epsilon() { return step; } \
  static constexpr T infinity() { return one / (one - one); } \
  static constexpr T quiet_NaN() { return (one - one) / (one - one); } \
};
KL_LIMITS(float, 1.175494351e-38f, 3.402823466e+38f, 1.192092896e-07f, 24, 1.0f)
KL_LIMITS(double, 2.2250738585072014e-308, 1.7976931348623158e+308, 2.2204460492503131e-16, 53, 1.0)
#undef KL_LIMITS
}

namespace std {
template <unsigned long n, unsigned long align = (n >= 16 ? 16 : n >= 8 ? 8 : n >= 4 ? 4 : n >= 2 ? 2 : 1)> struct aligned_storage {
  struct alignas(align) type { unsigned char bytes[n]; };
};
template <unsigned long n, unsigned long align> using aligned_storage_t = typename aligned_storage<n, align>::type;
}

// Concepts (C++20 [concepts]).
namespace std {
template <class T, class U> concept same_as = is_same<T, U>::value && is_same<U, T>::value;
template <class D, class B> concept derived_from = is_base_of<B, D>::value && is_convertible<const volatile D *, const volatile B *>::value;
template <class T, class U> concept convertible_to = is_convertible<T, U>::value && requires { static_cast<U>(declval<T>()); };
template <class T> concept integral = is_integral<T>::value;
template <class T> concept signed_integral = integral<T> && is_signed<T>::value;
template <class T> concept unsigned_integral = integral<T> && !signed_integral<T>;
template <class T> concept floating_point = is_floating_point<T>::value;
template <class T, class... As> concept constructible_from = requires { T(declval<As>()...); };
template <class T> concept default_initializable = constructible_from<T>;
template <class T> concept move_constructible = constructible_from<T, T>;
template <class T> concept copy_constructible = move_constructible<T> && constructible_from<T, const T &>;
template <class T, class U> concept assignable_from = requires(T x, U &&y) { { x = forward<U>(y) } -> same_as<T>; };
template <class T> concept movable = move_constructible<T> && assignable_from<T &, T>;
template <class T> concept copyable = copy_constructible<T> && movable<T> && assignable_from<T &, const T &>;
template <class T> concept semiregular = copyable<T> && default_initializable<T>;
template <class T> concept equality_comparable = requires(const T &x, const T &y) { { x == y } -> convertible_to<bool>; { x != y } -> convertible_to<bool>; };
template <class T> concept totally_ordered = equality_comparable<T> && requires(const T &x, const T &y) { { x < y } -> convertible_to<bool>; { x > y } -> convertible_to<bool>; { x <= y } -> convertible_to<bool>; { x >= y } -> convertible_to<bool>; };
template <class T> concept regular = semiregular<T> && equality_comparable<T>;
template <class F, class... As> concept invocable = requires(F &&f, As &&...xs) { forward<F>(f)(forward<As>(xs)...); };
template <class F, class... As> concept predicate = invocable<F, As...> && convertible_to<invoke_result_t<F, As...>, bool>;
}

// libcu++ has the same in a namespace of its own.
namespace cuda {
namespace std = ::std;
}
