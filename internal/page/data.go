package page

import "gpupipe/internal/report"

// Data is all that a page shows of a predicted run. Numbers of the run are in Report, as "pipesim --format json
// --explain" writes them; texts are those of the text report.
type Data struct {
	Format  string          `json:"format"` // "pipesim-page"
	Version int             `json:"version"`
	Title   string          `json:"title"`
	About   []string        `json:"about"` // the kernel, its launch and the device
	Report  report.Document `json:"report"`

	Facts    []Fact    `json:"facts"` // of the text report, in its order
	Findings []Finding `json:"findings"`
	Shown    int       `json:"shown"`   // how many findings the text report has
	Nothing  string    `json:"nothing"` // what it says where there is none
	Below    []string  `json:"below"`   // and behind them

	Source       []string      `json:"source"` // lines of the kernel's file
	Columns      []Column      `json:"columns"`
	Rest         string        `json:"rest"` // share of the causes that have no column
	Lines        []Line        `json:"lines"`
	Instructions []Instruction `json:"instructions"`
	Subsystems   []Subsystem   `json:"subsystems"`

	Timeline   *Timeline   `json:"timeline"`
	NoTimeline string      `json:"noTimeline"` // why there is none
	Iterations []Iteration `json:"iterations"`
	Roofline   *Roofline   `json:"roofline"` // null: nothing is known of it
	Occupancy  *Occupancy  `json:"occupancy"`

	Assumptions []Assumption `json:"assumptions"`
}

// Fact is a line of the text report.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Line int    `json:"line"` // that it names; 0 = none
}

// Finding is something to change.
type Finding struct {
	Code    string  `json:"code"`
	Line    int     `json:"line"` // 0 = none
	Column  int     `json:"column"`
	Head    string  `json:"head"` // "saves up to 46% (2.76 ms left)"
	What    string  `json:"what"`
	Proof   string  `json:"proof"`
	Remedy  string  `json:"remedy"`
	Seconds float64 `json:"seconds"` // with the remedy
	Saved   float64 `json:"saved"`   // share of the time
}

// Column is a cause of the time.
type Column struct {
	Code      string  `json:"code"`
	Subsystem int     `json:"subsystem"` // index of Subsystems; -1 = none
	Title     string  `json:"title"`
	Text      string  `json:"text"` // its share of the time
	Share     float64 `json:"share"`
}

// Line is a source line that takes time.
type Line struct {
	Line  int     `json:"line"`  // 0: of no line
	Place string  `json:"place"` // where it is in another file
	Text  string  `json:"text"`  // share of the time
	Share float64 `json:"share"`
	Cells []Cell  `json:"cells"`
}

// Cell is a line's part of a cause.
type Cell struct {
	Column int     `json:"column"` // index of Columns; -1 = those that have none
	Text   string  `json:"text"`
	Share  float64 `json:"share"` // of the time
}

// Instruction is what is executed at a place in the source: an instruction class of the graph, or several.
type Instruction struct {
	Op           string `json:"op"`
	Line         int    `json:"line"` // 0 = in another file
	Column       int    `json:"column"`
	Buffer       string `json:"buffer"`
	Access       string `json:"access"`  // the pattern of the first, in words
	Classes      int    `json:"classes"` // of the graph that it stands for: they differ in their addresses
	Lanes        int    `json:"lanes"`
	Subsystem    int    `json:"subsystem"` // index of Subsystems
	CPI          string `json:"cpi"`       // λ, cycles
	Latency      string `json:"latency"`   // Λ, cycles
	Transactions int    `json:"transactions"`
	Issued       string `json:"issued"`   // executions on a compute unit
	Waited       string `json:"waited"`   // cycles of an average warp for its result
	Queued       string `json:"queued"`   // cycles of an average warp, ready and not issued
	WaitsFor     []int  `json:"waitsFor"` // index of Instructions: what it depends on
	Source       string `json:"source"`   // of λ and Λ
	Assumed      string `json:"assumed"`
}

// Subsystem is how busy a pipeline is.
type Subsystem struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"`
	Busy   string  `json:"busy"`
	Share  float64 `json:"share"`
	Issued string  `json:"issued"`
	Bound  bool    `json:"bound"` // it limits the time
}

// Assumption is something that the prediction rests on.
type Assumption struct {
	Text   string `json:"text"`
	Line   int    `json:"line"`
	Advice string `json:"advice"` // how to replace it, a line each
}
