// What device code takes of the standard library's headers, as ordinary C++ (C++17 [meta], [utility], [limits], [array]).
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
template <class T> struct decay { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using decay_t = typename decay<T>::type;

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
template <class T> struct is_void : is_same<void, typename remove_cv<T>::type> {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;

template <class T> constexpr typename remove_reference<T>::type &&move(T &&x) { return static_cast<typename remove_reference<T>::type &&>(x); }
template <class T> constexpr T &&forward(typename remove_reference<T>::type &x) { return static_cast<T &&>(x); }
template <class T> void swap(T &a, T &b) { T t = move(a); a = move(b); b = move(t); }
// By value: the operands are registers.
template <class T> constexpr T min(const T &a, const T &b) {
  if constexpr (is_integral<T>::value) return ::min(a, b);
  T x = a, y = b;
  return y < x ? y : x;
}
template <class T> constexpr T max(const T &a, const T &b) {
  if constexpr (is_integral<T>::value) return ::max(a, b);
  T x = a, y = b;
  return x < y ? y : x;
}

template <class A, class B> struct pair { typedef A first_type; typedef B second_type; A first; B second; };
template <class A, class B> constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }

template <class T, size_t N> struct array {
  T elems[N];
  constexpr T &operator[](size_t i) { return elems[i]; }
  constexpr const T &operator[](size_t i) const { return elems[i]; }
  constexpr size_t size() const { return N; }
  constexpr T *data() { return elems; }
  constexpr const T *data() const { return elems; }
  constexpr T *begin() { return elems; }
  constexpr const T *begin() const { return elems; }
  constexpr T *end() { return elems + N; }
  constexpr const T *end() const { return elems + N; }
};

template <class T> struct numeric_limits;
template <> struct numeric_limits<float> {
  static constexpr float max() { return 3.402823466e+38f; }
  static constexpr float min() { return 1.175494351e-38f; }
  static constexpr float lowest() { return -3.402823466e+38f; }
  static constexpr float epsilon() { return 1.192092896e-07f; }
  static constexpr float infinity() { return 1.0f / 0.0f; }
};
template <> struct numeric_limits<double> {
  static constexpr double max() { return 1.7976931348623158e+308; }
  static constexpr double min() { return 2.2250738585072014e-308; }
  static constexpr double lowest() { return -1.7976931348623158e+308; }
  static constexpr double epsilon() { return 2.2204460492503131e-16; }
  static constexpr double infinity() { return 1.0 / 0.0; }
};
template <> struct numeric_limits<int> {
  static constexpr int max() { return 2147483647; }
  static constexpr int min() { return -2147483647 - 1; }
  static constexpr int lowest() { return min(); }
};
template <> struct numeric_limits<unsigned int> {
  static constexpr unsigned int max() { return 4294967295u; }
  static constexpr unsigned int min() { return 0; }
  static constexpr unsigned int lowest() { return 0; }
};
template <> struct numeric_limits<long> {
  static constexpr long max() { return 9223372036854775807L; }
  static constexpr long min() { return -9223372036854775807L - 1; }
  static constexpr long lowest() { return min(); }
};
template <> struct numeric_limits<unsigned long> {
  static constexpr unsigned long max() { return 18446744073709551615uL; }
  static constexpr unsigned long min() { return 0; }
  static constexpr unsigned long lowest() { return 0; }
};
}
