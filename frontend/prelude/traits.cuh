// Types as few programs ask for them (C++17 [meta.unary], [meta.rel]).
#ifndef KL_TRAITS
#define KL_TRAITS
namespace std {
template <class T> struct is_union : bool_constant<__is_union(T)> {};
template <class T> struct is_null_pointer : is_same<decltype(nullptr), typename remove_cv<T>::type> {};
template <class T> struct is_function : false_type {};
template <class R, class... As> struct is_function<R(As...)> : true_type {};
template <class T> struct is_member_function_pointer : false_type {};
template <class T, class C> struct is_member_function_pointer<T C::*> : is_function<T> {};
template <class T> struct is_member_object_pointer : bool_constant<is_member_pointer<T>::value && !is_member_function_pointer<T>::value> {};
template <class T> struct is_scalar : bool_constant<is_arithmetic<T>::value || is_enum<T>::value || is_pointer<T>::value ||
    is_member_pointer<T>::value || is_null_pointer<T>::value> {};
template <class T> struct is_object : bool_constant<!is_function<T>::value && !is_reference<T>::value && !is_void<T>::value> {};
template <class T> struct is_compound : bool_constant<!is_fundamental<T>::value && !is_null_pointer<T>::value> {};
template <class T> struct is_trivial : bool_constant<__is_trivial(T)> {};
template <class T> struct is_pod : bool_constant<__is_pod(T)> {};
template <class T, class... As> struct is_constructible : bool_constant<requires { ::new (static_cast<void *>(nullptr)) T(declval<As>()...); }> {};
template <class T, class U> struct is_constructible<T &, U> : is_convertible<U, T &> {};
template <class T, class U> struct is_constructible<T &&, U> : is_convertible<U, T &&> {};
template <class T> struct is_default_constructible : is_constructible<T> {};
template <class T> struct is_copy_constructible : is_constructible<T, const T &> {};
template <class T, class U> struct is_assignable : bool_constant<requires { declval<T>() = declval<U>(); }> {};
template <class F, class... As> struct is_invocable : bool_constant<requires { declval<F>()(declval<As>()...); }> {};
#define KL_VALUE(name) template <class T> inline constexpr bool name##_v = name<T>::value;
KL_VALUE(is_union) KL_VALUE(is_null_pointer) KL_VALUE(is_function) KL_VALUE(is_member_pointer)
KL_VALUE(is_member_function_pointer) KL_VALUE(is_member_object_pointer) KL_VALUE(is_scalar) KL_VALUE(is_object)
KL_VALUE(is_compound) KL_VALUE(is_trivial) KL_VALUE(is_pod) KL_VALUE(is_default_constructible)
KL_VALUE(is_copy_constructible)
#undef KL_VALUE
template <class T, class... As> inline constexpr bool is_constructible_v = is_constructible<T, As...>::value;
template <class T, class U> inline constexpr bool is_assignable_v = is_assignable<T, U>::value;
template <class F, class... As> inline constexpr bool is_invocable_v = is_invocable<F, As...>::value;
}
#endif
