// Package sheet sets reports: numbers in their units, lines of text, and tables.
//
// It consumes a report as sections (Sheet) and writes it as text for a terminal or as
// Markdown; documents it writes as JSON. It produces the same bytes for the same report
// and layout.
package sheet
