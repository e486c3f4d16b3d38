// Function objects, tuples and sequences of numbers (C++17 [function.objects], [tuple], [intseq]).
#ifndef KL_TUPLE
#define KL_TUPLE
namespace std {
// Function objects [function.objects]; those of void take any types.
#define KL_OPERATOR(name, op) \
template <class T = void> struct name { constexpr auto operator()(const T &a, const T &b) const { return a op b; } }; \
template <> struct name<void> { template <class T, class U> constexpr auto operator()(const T &a, const U &b) const { return a op b; } };
KL_OPERATOR(plus, +)
KL_OPERATOR(minus, -)
KL_OPERATOR(multiplies, *)
KL_OPERATOR(divides, /)
KL_OPERATOR(modulus, %)
KL_OPERATOR(bit_and, &)
KL_OPERATOR(bit_or, |)
KL_OPERATOR(bit_xor, ^)
KL_OPERATOR(logical_and, &&)
KL_OPERATOR(logical_or, ||)
KL_OPERATOR(equal_to, ==)
KL_OPERATOR(not_equal_to, !=)
KL_OPERATOR(less, <)
KL_OPERATOR(less_equal, <=)
KL_OPERATOR(greater, >)
KL_OPERATOR(greater_equal, >=)
#undef KL_OPERATOR
#define KL_OPERATOR(name, op) \
template <class T = void> struct name { constexpr auto operator()(const T &a) const { return op a; } }; \
template <> struct name<void> { template <class T> constexpr auto operator()(const T &a) const { return op a; } };
KL_OPERATOR(negate, -)
KL_OPERATOR(bit_not, ~)
KL_OPERATOR(logical_not, !)
#undef KL_OPERATOR
template <class M, class O, class... As> constexpr decltype(auto) kl_invoke(M m, O &&o, As &&...as) {
  if constexpr (is_pointer<decay_t<O>>::value) return kl_invoke(m, *o, forward<As>(as)...);
  else if constexpr (requires { (forward<O>(o).*m)(forward<As>(as)...); }) return (forward<O>(o).*m)(forward<As>(as)...);
  else return forward<O>(o).*m;
}
template <class F, class... As> constexpr decltype(auto) invoke(F &&f, As &&...as) {
  if constexpr (is_member_pointer<decay_t<F>>::value) return kl_invoke(f, forward<As>(as)...);
  else return forward<F>(f)(forward<As>(as)...);
}
struct identity { template <class T> constexpr T operator()(const T &x) const { return x; } };

template <class T> constexpr const T &as_const(T &x) { return x; }
template <class T> void as_const(const T &&) = delete;
template <class A, class B> constexpr bool operator==(const pair<A, B> &p, const pair<A, B> &q) { return p.first == q.first && p.second == q.second; }
template <class A, class B> constexpr bool operator!=(const pair<A, B> &p, const pair<A, B> &q) { return !(p == q); }
template <class A, class B> constexpr bool operator<(const pair<A, B> &p, const pair<A, B> &q) {
  return p.first < q.first || !(q.first < p.first) && p.second < q.second;
}
template <class A, class B> constexpr bool operator>(const pair<A, B> &p, const pair<A, B> &q) { return q < p; }
template <class A, class B> constexpr bool operator<=(const pair<A, B> &p, const pair<A, B> &q) { return !(q < p); }
template <class A, class B> constexpr bool operator>=(const pair<A, B> &p, const pair<A, B> &q) { return !(p < q); }

// Tuples of up to any number of elements, each one the base of those in front.
template <class... Ts> class tuple;
template <> class tuple<> {};
template <class T, class... Rest> class tuple<T, Rest...> : public tuple<Rest...> {
 public:
  T head;
  constexpr tuple() : head() {}
  constexpr tuple(const tuple &) = default;
  constexpr tuple(tuple &&) = default;
  constexpr tuple(const T &x, const Rest &...rest) : tuple<Rest...>(rest...), head(x) {}
  template <class U, class... V, class = enable_if_t<sizeof...(V) == sizeof...(Rest) && !is_same<decay_t<U>, tuple>::value>>
  constexpr tuple(U &&x, V &&...rest) : tuple<Rest...>(forward<V>(rest)...), head(forward<U>(x)) {}
  template <class U, class... V> constexpr tuple(const tuple<U, V...> &t) : tuple<Rest...>((const tuple<V...> &)t), head(t.head) {}
  constexpr tuple &operator=(const tuple &t) { return assign(t); }
  template <class U, class... V> constexpr tuple &operator=(const tuple<U, V...> &t) { return assign(t); }
  template <class U, class V> constexpr tuple &operator=(const pair<U, V> &p) { return assign(tuple<U, V>(p.first, p.second)); }
  template <class U, class... V> constexpr tuple &assign(const tuple<U, V...> &t) {
    if constexpr (sizeof...(V) > 0) tuple<Rest...>::assign((const tuple<V...> &)t);
    head = t.head;
    return *this;
  }
};
template <class... Ts> tuple(Ts...) -> tuple<Ts...>;
template <size_t I, class T> struct tuple_element;
template <class T, class... Rest> struct tuple_element<0, tuple<T, Rest...>> { typedef T type; typedef tuple<T, Rest...> holder; };
template <size_t I, class T, class... Rest> struct tuple_element<I, tuple<T, Rest...>> : tuple_element<I - 1, tuple<Rest...>> {};
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
template <class T> struct tuple_size;
template <class... Ts> struct tuple_size<tuple<Ts...>> : integral_constant<size_t, sizeof...(Ts)> {};
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <class T, size_t N> struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <size_t I, class T, size_t N> struct tuple_element<I, array<T, N>> { typedef T type; };
template <class T> inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t I, class... Ts> constexpr typename tuple_element<I, tuple<Ts...>>::type &get(tuple<Ts...> &t) {
  typename tuple_element<I, tuple<Ts...>>::holder &h = t;
  return h.head;
}
template <size_t I, class... Ts> constexpr const typename tuple_element<I, tuple<Ts...>>::type &get(const tuple<Ts...> &t) {
  const typename tuple_element<I, tuple<Ts...>>::holder &h = t;
  return h.head;
}
template <size_t I, class A, class B> constexpr auto &get(pair<A, B> &p) {
  if constexpr (I == 0) return p.first;
  else return p.second;
}
template <size_t I, class A, class B> constexpr const auto &get(const pair<A, B> &p) {
  if constexpr (I == 0) return p.first;
  else return p.second;
}
template <size_t I, class T, size_t N> constexpr T &get(array<T, N> &a) { return a.elems[I]; }
template <size_t I, class T, size_t N> constexpr const T &get(const array<T, N> &a) { return a.elems[I]; }
template <size_t I, class... Ts> constexpr typename tuple_element<I, tuple<Ts...>>::type &&get(tuple<Ts...> &&t) {
  typename tuple_element<I, tuple<Ts...>>::holder &h = t;
  return forward<typename tuple_element<I, tuple<Ts...>>::type>(h.head);
}
template <class T, class... Ts> constexpr size_t kl_index_of() {
  size_t i = 0;
  bool found = false;
  ((found = found || is_same<T, Ts>::value, i += !found), ...);
  return i;
}
template <class T, class... Ts> constexpr T &get(tuple<Ts...> &t) { return get<kl_index_of<T, Ts...>()>(t); }
template <class T, class... Ts> constexpr const T &get(const tuple<Ts...> &t) { return get<kl_index_of<T, Ts...>()>(t); }
template <class... Ts> constexpr tuple<decay_t<Ts>...> make_tuple(Ts &&...xs) { return tuple<decay_t<Ts>...>(forward<Ts>(xs)...); }
template <class... Ts> constexpr tuple<Ts &...> tie(Ts &...xs) { return tuple<Ts &...>(xs...); }
template <class... Ts> constexpr tuple<Ts &&...> forward_as_tuple(Ts &&...xs) { return tuple<Ts &&...>(forward<Ts>(xs)...); }
#define KL_LEXICAL(name, what, end) \
template <size_t I = 0, class... As, class... Bs> constexpr bool name(const tuple<As...> &a, const tuple<Bs...> &b) { \
  if constexpr (I < sizeof...(As)) return what; \
  else return end; \
}
KL_LEXICAL(kl_same, get<I>(a) == get<I>(b) && kl_same<I + 1>(a, b), true)
KL_LEXICAL(kl_less, get<I>(a) < get<I>(b) || !(get<I>(b) < get<I>(a)) && kl_less<I + 1>(a, b), false)
#undef KL_LEXICAL
#define KL_OPERATOR(op, what) \
template <class... As, class... Bs> constexpr bool operator op(const tuple<As...> &a, const tuple<Bs...> &b) { return what; }
KL_OPERATOR(==, kl_same(a, b))
KL_OPERATOR(!=, !kl_same(a, b))
KL_OPERATOR(<, kl_less(a, b))
KL_OPERATOR(>, kl_less(b, a))
KL_OPERATOR(<=, !kl_less(b, a))
KL_OPERATOR(>=, !kl_less(a, b))
#undef KL_OPERATOR

// Sequences of numbers [intseq].
template <class T, T... Is> struct integer_sequence {
  typedef T value_type;
  static constexpr size_t size() { return sizeof...(Is); }
};
template <size_t... Is> using index_sequence = integer_sequence<size_t, Is...>;
template <class T, size_t N, T... Is> struct kl_sequence { typedef typename kl_sequence<T, N - 1, N - 1, Is...>::type type; };
template <class T, T... Is> struct kl_sequence<T, 0, Is...> { typedef integer_sequence<T, Is...> type; };
template <class T, T N> using make_integer_sequence = typename kl_sequence<T, N>::type;
template <size_t N> using make_index_sequence = typename kl_sequence<size_t, N>::type;
template <class... Ts> using index_sequence_for = make_index_sequence<sizeof...(Ts)>;
template <class F, class T, size_t... Is> constexpr decltype(auto) kl_apply(F &&f, T &&t, index_sequence<Is...>) {
  return forward<F>(f)(get<Is>(forward<T>(t))...);
}
constexpr tuple<> tuple_cat() { return tuple<>(); }
template <class... As> constexpr tuple<As...> tuple_cat(const tuple<As...> &a) { return a; }
template <class... As, class... Bs, size_t... I, size_t... J>
constexpr tuple<As..., Bs...> kl_cat(const tuple<As...> &a, const tuple<Bs...> &b, index_sequence<I...>, index_sequence<J...>) {
  return tuple<As..., Bs...>(get<I>(a)..., get<J>(b)...);
}
template <class... As, class... Bs, class... Rest> constexpr auto tuple_cat(const tuple<As...> &a, const tuple<Bs...> &b, const Rest &...rest) {
  return tuple_cat(kl_cat(a, b, index_sequence_for<As...>{}, index_sequence_for<Bs...>{}), rest...);
}
template <class F, class T> constexpr decltype(auto) apply(F &&f, T &&t) {
  return kl_apply(forward<F>(f), forward<T>(t), make_index_sequence<tuple_size<decay_t<T>>::value>{});
}
}
#endif
