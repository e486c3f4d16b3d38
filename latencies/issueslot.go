package latencies

// issueSubsystem is where instructions go that are issued to no unit.
const issueSubsystem = "issue"

// issueSlot is what an instruction takes that is issued to no effect, or lets lanes meet, where the
// device has no entry for it: a turn of the schedulers, and nothing that others wait for. Without an issue
// limit it takes nothing that could be told, and is missing.
func (m *mapping) issueSlot(op string) *resolution {
	slot, err := WholeCycles(1).Div(m.dev.IssueLimit)
	if err != nil {
		return &resolution{missing: op}
	}
	source := "the issue limit"
	if o, ok := m.dev.Origin("issue_limit"); ok {
		source = cite(o.Cite(), o.Inherited, "")
	}
	return &resolution{subsystem: m.subsystemNamed(issueSubsystem), timing: Timing{CPI: slot, Latency: slot},
		matched: "issue_limit", sources: []string{source}}
}

// cite completes where a number comes from by the device that it was taken from and
// what is noted about it.
func cite(source, inherited, note string) string {
	if inherited != "" {
		source += ", as on " + inherited
	}
	if note != "" {
		source += "; " + note
	}
	return source
}
