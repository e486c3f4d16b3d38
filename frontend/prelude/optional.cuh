// An object that may be missing (C++17 [optional]).
#ifndef KL_OPTIONAL
#define KL_OPTIONAL
namespace std {
struct nullopt_t { explicit constexpr nullopt_t(int) {} };
inline constexpr nullopt_t nullopt{0};
struct in_place_t { explicit in_place_t() = default; };
inline constexpr in_place_t in_place{};
template <class T> class optional {
  union { T kl_value; };
  bool kl_engaged;

 public:
  typedef T value_type;
  constexpr optional() : kl_engaged(false) {}
  constexpr optional(nullopt_t) : kl_engaged(false) {}
  constexpr optional(const optional &o) : kl_engaged(false) { if (o) emplace(*o); }
  constexpr optional(optional &&o) : kl_engaged(false) { if (o) emplace(move(*o)); }
  template <class U> constexpr optional(const optional<U> &o) : kl_engaged(false) { if (o) emplace(*o); }
  template <class U = T, class = enable_if_t<!is_same<decay_t<U>, optional>::value && !is_same<decay_t<U>, nullopt_t>::value && is_convertible<U, T>::value>>
  constexpr optional(U &&x) : kl_engaged(false) { emplace(forward<U>(x)); }
  template <class... As> constexpr explicit optional(in_place_t, As &&...as) : kl_engaged(false) { emplace(forward<As>(as)...); }
  constexpr ~optional() { reset(); }
  constexpr optional &operator=(nullopt_t) {
    reset();
    return *this;
  }
  constexpr optional &operator=(const optional &o) {
    if (o) assign(*o);
    else reset();
    return *this;
  }
  constexpr optional &operator=(optional &&o) {
    if (o) assign(move(*o));
    else reset();
    return *this;
  }
  template <class U = T, class = enable_if_t<!is_same<decay_t<U>, optional>::value && !is_same<decay_t<U>, nullopt_t>::value>>
  constexpr optional &operator=(U &&x) {
    assign(forward<U>(x));
    return *this;
  }
  template <class... As> constexpr T &emplace(As &&...as) {
    reset();
    ::new ((void *)&kl_value) T(forward<As>(as)...);
    kl_engaged = true;
    return kl_value;
  }
  constexpr void reset() {
    if (kl_engaged) kl_value.~T();
    kl_engaged = false;
  }
  constexpr bool has_value() const { return kl_engaged; }
  constexpr explicit operator bool() const { return kl_engaged; }
  constexpr T *operator->() { return &kl_value; }
  constexpr const T *operator->() const { return &kl_value; }
  constexpr T &operator*() & { return kl_value; }
  constexpr const T &operator*() const & { return kl_value; }
  constexpr T &&operator*() && { return move(kl_value); }
  constexpr T &value() & { return kl_value; }
  constexpr const T &value() const & { return kl_value; }
  constexpr T &&value() && { return move(kl_value); }
  template <class U> constexpr T value_or(U &&x) const { return kl_engaged ? kl_value : static_cast<T>(forward<U>(x)); }

 private:
  template <class U> constexpr void assign(U &&x) {
    if (kl_engaged) kl_value = forward<U>(x);
    else emplace(forward<U>(x));
  }
};
template <class T> optional(T) -> optional<T>;
template <class T> constexpr optional<decay_t<T>> make_optional(T &&x) { return optional<decay_t<T>>(forward<T>(x)); }
template <class T, class U> constexpr bool operator==(const optional<T> &a, const optional<U> &b) { return a.has_value() == b.has_value() && (!a || *a == *b); }
template <class T, class U> constexpr bool operator!=(const optional<T> &a, const optional<U> &b) { return !(a == b); }
template <class T> constexpr bool operator==(const optional<T> &a, nullopt_t) { return !a; }
template <class T> constexpr bool operator!=(const optional<T> &a, nullopt_t) { return bool(a); }
template <class T, class U> constexpr bool operator==(const optional<T> &a, const U &b) { return a && *a == b; }
template <class T, class U> constexpr bool operator!=(const optional<T> &a, const U &b) { return !(a && *a == b); }
}
#endif
