// Package stages has a test that says what each stage makes of small kernels, without simulating them: quick, so that
// a change is noticed where results of package metamorphic take longer. It consumes the kernels of package irtest.
package stages
