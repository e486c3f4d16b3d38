// Bits (C++20 [bit]).
#ifndef KL_BIT
#define KL_BIT
namespace std {
template <class To, class From> constexpr To bit_cast(const From &x) {
  static_assert(sizeof(To) == sizeof(From));
  if constexpr (is_integral_v<From> && is_integral_v<To>) return To(x);
  else if constexpr (is_same_v<From, float> && is_integral_v<To>) return To(__float_as_uint(x));
  else if constexpr (is_same_v<From, double> && is_integral_v<To>) return To(__double_as_longlong(x));
  else if constexpr (is_integral_v<From> && is_same_v<To, float>) return __uint_as_float(unsigned(x));
  else if constexpr (is_integral_v<From> && is_same_v<To, double>) return __longlong_as_double(x);
  else {
    To t;
    memcpy(&t, &x, sizeof(To));
    return t;
  }
}
template <class T> constexpr int kl_width() { return 8 * sizeof(T); }
template <class T> constexpr int popcount(T x) {
  if constexpr (sizeof(T) == 8) return __popcll(x);
  else return __popc(x);
}
template <class T> constexpr int countl_zero(T x) {
  if constexpr (sizeof(T) == 8) return __clzll(x);
  else return __clz(x) - (32 - kl_width<T>());
}
template <class T> constexpr int countr_zero(T x) {
  if constexpr (sizeof(T) == 8) return x ? __ffsll(x) - 1 : 64;
  else return x ? __ffs(x) - 1 : kl_width<T>();
}
template <class T> constexpr int countl_one(T x) { return countl_zero(T(~x)); }
template <class T> constexpr int countr_one(T x) { return countr_zero(T(~x)); }
template <class T> constexpr int bit_width(T x) { return kl_width<T>() - countl_zero(x); }
template <class T> constexpr bool has_single_bit(T x) { return x && !(x & (x - 1)); }
template <class T> constexpr T bit_floor(T x) { return x ? T(T(1) << (bit_width(x) - 1)) : T(0); }
template <class T> constexpr T bit_ceil(T x) { return x <= 1 ? T(1) : T(T(1) << bit_width(T(x - 1))); }
template <class T> constexpr T rotl(T x, int n) {
  n &= kl_width<T>() - 1;
  return n ? T(x << n | x >> (kl_width<T>() - n)) : x;
}
template <class T> constexpr T rotr(T x, int n) { return rotl(x, -n); }
}
#endif
