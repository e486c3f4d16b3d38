// Package sheet sets reports: numbers in their units, lines of text, and tables.
//
// It consumes a report as sections (Sheet), which it writes as text for a terminal or as
// Markdown, records (Records), which it writes as CSV, and documents, which it writes as
// JSON. It produces the same bytes for the same report and layout.
package sheet
