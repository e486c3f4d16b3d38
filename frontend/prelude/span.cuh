// Views of arrays (C++20 [views.span]).
#ifndef KL_SPAN
#define KL_SPAN
namespace std {
inline constexpr size_t dynamic_extent = size_t(-1);
template <class T, size_t N = dynamic_extent> class span {
  T *kl_data;
  size_t kl_size;

 public:
  typedef T element_type;
  typedef remove_cv_t<T> value_type;
  typedef size_t size_type;
  typedef T *pointer;
  typedef T &reference;
  typedef T *iterator;
  static constexpr size_t extent = N;
  constexpr span() : kl_data(nullptr), kl_size(0) {}
  constexpr span(T *p, size_t n) : kl_data(p), kl_size(n) {}
  constexpr span(T *p, T *end) : kl_data(p), kl_size(end - p) {}
  template <size_t M> constexpr span(T (&a)[M]) : kl_data(a), kl_size(M) {}
  template <class U, size_t M> constexpr span(array<U, M> &a) : kl_data(a.data()), kl_size(M) {}
  template <class U, size_t M> constexpr span(const array<U, M> &a) : kl_data(a.data()), kl_size(M) {}
  template <class U, size_t M, class = enable_if_t<is_convertible<U (*)[], T (*)[]>::value || is_same<const U, T>::value>>
  constexpr span(const span<U, M> &s) : kl_data(s.data()), kl_size(s.size()) {}
  constexpr T *data() const { return kl_data; }
  constexpr size_t size() const {
    if constexpr (N != dynamic_extent) return N;
    else return kl_size;
  }
  constexpr size_t size_bytes() const { return size() * sizeof(T); }
  constexpr bool empty() const { return size() == 0; }
  constexpr T &operator[](size_t i) const { return kl_data[i]; }
  constexpr T &front() const { return kl_data[0]; }
  constexpr T &back() const { return kl_data[size() - 1]; }
  constexpr T *begin() const { return kl_data; }
  constexpr T *end() const { return kl_data + size(); }
  constexpr span<T> first(size_t n) const { return span<T>(kl_data, n); }
  constexpr span<T> last(size_t n) const { return span<T>(kl_data + (size() - n), n); }
  constexpr span<T> subspan(size_t at, size_t n = dynamic_extent) const { return span<T>(kl_data + at, n == dynamic_extent ? size() - at : n); }
  template <size_t M> constexpr span<T, M> first() const { return span<T, M>(kl_data, M); }
  template <size_t M> constexpr span<T, M> last() const { return span<T, M>(kl_data + (size() - M), M); }
  template <size_t At, size_t M = dynamic_extent> constexpr span<T, M != dynamic_extent ? M : N != dynamic_extent ? N - At : N> subspan() const {
    return span<T, M != dynamic_extent ? M : N != dynamic_extent ? N - At : N>(kl_data + At, M == dynamic_extent ? size() - At : M);
  }
};
template <class T, size_t N> span(T (&)[N]) -> span<T, N>;
template <class T, size_t N> span(array<T, N> &) -> span<T, N>;
template <class T, size_t N> span(const array<T, N> &) -> span<const T, N>;
template <class T> span(T *, size_t) -> span<T>;
}
#endif
