// Package difference says what changed between two versions of kernels, or two variants of one: the time, what it is
// spent on, how far it is from the device's peaks, and each source line.
//
// It consumes results (report.Document) and produces a Document, which is JSON and a sheet. The changes of the causes,
// and those of the lines, add up to the change of the time. A line is the same if its text is, wherever it stands.
package difference
