// Package stages has a test that says what each stage makes of small kernels: quick, so that a change is noticed where
// results of package metamorphic take longer. It consumes the kernels and programs in C++ of other tests, and random
// ones of package randomc.
package stages
