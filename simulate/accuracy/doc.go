// Package accuracy says how well predictions agree with measurements.
//
// It consumes series of positive numbers, one for each configuration: times, or
// performance as work per time. It produces the article's two errors, MAPE and
// MAPE_shape (A 6.3, which takes them of performance), and two rank correlations for
// questions of order: which configuration is the fastest?
//
// Every result is finite. What has no answer, such as the order of equal numbers
// or the error against a measured 0, is an error.
package accuracy
