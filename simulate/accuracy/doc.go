// Package accuracy says how well predicted run times agree with measured ones.
//
// It consumes series of positive numbers, cycles or seconds, one for each
// configuration, and produces the article's two errors, MAPE and MAPE_shape (A
// section 6.2), and two rank correlations for questions of order: which
// configuration is the fastest?
//
// Every result is finite. What has no answer, such as the order of equal numbers
// or the error against a measured time of zero, is an error.
package accuracy
