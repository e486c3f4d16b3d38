package analytic

// Worksheet is the throughput bound as a table (V16 T.3.4): for how long a warp
// keeps each resource busy.
type Worksheet struct {
	Rows          []WorksheetRow
	Bound         string  // the resource with the most cycles
	Cycles        float64 // per warp there
	WarpsPerCycle float64 // 1 / Cycles
}

// WorksheetRow is one resource.
type WorksheetRow struct {
	Resource string
	Count    float64 // instructions or issue slots of a warp
	Cycles   float64 // for which they keep it busy
}

// NewWorksheet fills the table in (V16 T.3.4).
func NewWorksheet(in *Input) Worksheet {
	var w Worksheet
	for _, s := range in.Subsystems {
		w.Rows = append(w.Rows, WorksheetRow{s.Name, s.Count, s.Busy})
	}
	if in.IssueLimit > 0 {
		w.Rows = append(w.Rows, WorksheetRow{nameIssue, in.IssueSlots, in.issueBusy()})
	}
	w.WarpsPerCycle, w.Bound = in.Throughput()
	w.Cycles = 1 / w.WarpsPerCycle
	return w
}
