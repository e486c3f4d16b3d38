// Package chart draws curves and execution profiles as SVG or PNG, with the same
// look everywhere: a title, axes with units and prefixes of the SI, and names beside
// the curves. Colours and dashes stay apart in grey. Same input, same bytes.
package chart
