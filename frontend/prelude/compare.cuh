// Three-way comparison (C++20 [cmp]).
#ifndef KL_COMPARE
#define KL_COMPARE
namespace std {
#define KL_ORDER(name) \
  signed char kl_value; \
  friend constexpr bool operator==(name a, int) { return a.kl_value == 0; } \
  friend constexpr bool operator!=(name a, int) { return a.kl_value != 0; } \
  friend constexpr bool operator<(name a, int) { return a.kl_value == -1; } \
  friend constexpr bool operator>(name a, int) { return a.kl_value == 1; } \
  friend constexpr bool operator<=(name a, int) { return a.kl_value == -1 || a.kl_value == 0; } \
  friend constexpr bool operator>=(name a, int) { return a.kl_value == 1 || a.kl_value == 0; } \
  friend constexpr bool operator==(name a, name b) { return a.kl_value == b.kl_value; } \
  friend constexpr bool operator!=(name a, name b) { return a.kl_value != b.kl_value; }
struct partial_ordering {
  KL_ORDER(partial_ordering)
  static const partial_ordering less, equivalent, greater, unordered;
};
struct weak_ordering {
  KL_ORDER(weak_ordering)
  static const weak_ordering less, equivalent, greater;
  constexpr operator partial_ordering() const { return partial_ordering{kl_value}; }
};
struct strong_ordering {
  KL_ORDER(strong_ordering)
  static const strong_ordering less, equal, equivalent, greater;
  constexpr operator partial_ordering() const { return partial_ordering{kl_value}; }
  constexpr operator weak_ordering() const { return weak_ordering{kl_value}; }
};
#undef KL_ORDER
inline constexpr partial_ordering partial_ordering::less{-1}, partial_ordering::equivalent{0}, partial_ordering::greater{1}, partial_ordering::unordered{2};
inline constexpr weak_ordering weak_ordering::less{-1}, weak_ordering::equivalent{0}, weak_ordering::greater{1};
inline constexpr strong_ordering strong_ordering::less{-1}, strong_ordering::equal{0}, strong_ordering::equivalent{0}, strong_ordering::greater{1};

template <class T, class U> constexpr auto kl_three_way(T a, U b) { // x <=> y of the language
  if constexpr (is_floating_point<T>::value || is_floating_point<U>::value)
    return partial_ordering{(signed char)(a < b ? -1 : a > b ? 1 : a == b ? 0 : 2)};
  else return strong_ordering{(signed char)(a < b ? -1 : a > b)};
}
// The category of a class whose parts compare as Ts [class.spaceship].
template <class... Ts> struct common_comparison_category {
  typedef conditional_t<(is_same<Ts, partial_ordering>::value || ...), partial_ordering,
      conditional_t<(is_same<Ts, weak_ordering>::value || ...), weak_ordering, strong_ordering>> type;
};
template <class... Ts> using common_comparison_category_t = typename common_comparison_category<Ts...>::type;
template <class T, class U = T> using compare_three_way_result_t = decltype(declval<const T &>() <=> declval<const U &>());
constexpr bool is_eq(partial_ordering o) { return o == 0; }
constexpr bool is_neq(partial_ordering o) { return o != 0; }
constexpr bool is_lt(partial_ordering o) { return o < 0; }
constexpr bool is_lteq(partial_ordering o) { return o <= 0; }
constexpr bool is_gt(partial_ordering o) { return o > 0; }
constexpr bool is_gteq(partial_ordering o) { return o >= 0; }
}
#endif
