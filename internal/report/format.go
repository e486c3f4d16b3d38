package report

// Format is a form of a command's results.
type Format uint8

// The formats. The zero value stands for a command's default.
const (
	Text Format = iota + 1
	JSON
	CSV
	Markdown
	JSONLines // an object a line
	Chart
	Pprof // a profile of the causes for go tool pprof
	Trace // a profile of the run for Perfetto
	SARIF // findings and assumptions
	SVG   // a drawing of the run
	JUnit // checks as results of tests
)

var formatNames = [...]string{
	Text: "text", JSON: "json", CSV: "csv", Markdown: "markdown", JSONLines: "jsonl", Chart: "chart",
	Pprof: "pprof", Trace: "trace", SARIF: "sarif", SVG: "svg", JUnit: "junit",
}

func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "invalid format"
}
