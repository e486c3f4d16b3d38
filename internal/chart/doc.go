// Package chart draws curves and execution profiles as SVG or PNG, with the same
// look everywhere. Same input, same bytes.
package chart
