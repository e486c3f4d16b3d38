// Thrust's function objects.
#ifndef KL_THRUST
#define KL_THRUST
namespace thrust {
using std::plus, std::minus, std::multiplies, std::divides, std::modulus, std::negate;
using std::equal_to, std::not_equal_to, std::less, std::less_equal, std::greater, std::greater_equal;
using std::logical_and, std::logical_or, std::logical_not, std::bit_and, std::bit_or, std::bit_xor;
template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
template <class T = void> struct identity { template <class U> constexpr const U &operator()(const U &x) const { return x; } };
template <class T> struct maximum { constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T> struct minimum { constexpr T operator()(const T &a, const T &b) const { return a < b ? a : b; } };
template <class T = void, class U = void> struct project1st { template <class A, class B> constexpr const A &operator()(const A &a, const B &) const { return a; } };
template <class T = void, class U = void> struct project2nd { template <class A, class B> constexpr const B &operator()(const A &, const B &b) const { return b; } };
}
#endif
