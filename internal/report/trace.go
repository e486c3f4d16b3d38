package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"gpupipe/simulate"
)

// writeTrace writes profiles as a trace in the Trace Event Format of Chrome, which Perfetto opens: for each kernel
// a process of warps and one of pipelines. A microsecond of the trace is a cycle. Instructions of a warp that
// overlap are in lanes, which are threads.
func writeTrace(w io.Writer, all []*Prediction, s *simulate.ProfileOptions) error {
	out := bufio.NewWriter(w)
	t := &trace{w: out}
	fmt.Fprintf(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is 1 cycle\"},\n\"traceEvents\":[")
	for i, p := range all {
		t.addProfile(2*i+1, p, s)
	}
	fmt.Fprintln(out, "\n]}")
	if t.err != nil {
		return t.err
	}
	return out.Flush()
}

// trace is a trace being written.
type trace struct {
	w     *bufio.Writer
	begun bool
	err   error
}

// traceEvent is a slice ("X") or a name ("M").
type traceEvent struct {
	Phase    string         `json:"ph"`
	Name     string         `json:"name"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Start    float64        `json:"ts"`
	Duration *float64       `json:"dur,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

func (t *trace) event(e traceEvent) {
	text, err := json.Marshal(e)
	if t.err = cmp.Or(t.err, err); t.begun {
		t.w.WriteByte(',')
	}
	t.begun = true
	t.w.WriteByte('\n')
	t.w.Write(text)
}

// mostSlices is how many slices a kernel has in a trace of no chosen cycles: what Perfetto opens at once.
const mostSlices = 50_000

// slice is a time for which an instruction is in a track.
type slice struct {
	track    string
	from, to simulate.Tick
	issue    *simulate.Issue
}

// addProfile writes the two processes of a kernel.
func (t *trace) addProfile(process int, p *Prediction, s *simulate.ProfileOptions) {
	profile := p.Result.Profile
	per := simulate.Tick(profile.TicksPerCycle)
	shown := func(from, to simulate.Tick) bool {
		return to > simulate.Tick(s.From)*per && (s.To == 0 || from < simulate.Tick(s.To)*per)
	}
	var warps, pipelines []slice
	capped := false
	for i := range profile.Issues {
		x := &profile.Issues[i]
		if capped = s.From == 0 && s.To == 0 && len(warps)+len(pipelines) >= mostSlices; capped {
			break
		}
		c := &profile.Classes[x.Instr-1]
		if end := max(x.Complete, x.Passed); shown(x.Issued, end) {
			warps = append(warps, slice{fmt.Sprintf("warp %04d", x.Place), x.Issued, end, x})
		}
		if shown(x.Turn, x.Passed) {
			pipelines = append(pipelines, slice{p.pipeline(int(c.Subsystem), x.SubCore), x.Turn, x.Passed, x})
		}
		if x.Second.To > x.Second.From && shown(x.Second.From, x.Second.To) {
			pipelines = append(pipelines, slice{p.pipeline(int(c.Second.Subsystem), x.SubCore), x.Second.From,
				x.Second.To, x})
		}
	}
	if capped {
		t.event(traceEvent{Phase: "M", Name: "process_labels", Process: process, Args: map[string]any{
			"labels": fmt.Sprintf("the first %d of %d instructions; --profile-cycles FROM:TO shows others", len(warps),
				len(profile.Issues))}})
	}
	t.process(process, p.Graph.Kernel+": warps", warps, profile)
	t.process(process+1, p.Graph.Kernel+": pipelines", pipelines, profile)
}

// pipeline is the name of a subsystem's track, of a sub-core where each has its own.
func (p *Prediction) pipeline(subsystem, subCore int) string {
	name := p.Mapping.Device.TitleOf(p.Result.Profile.Subsystems[subsystem])
	if p.Result.Profile.Shared[subsystem] {
		return name
	}
	return fmt.Sprintf("%s %d", name, subCore)
}

// process writes slices by track, each in the first lane of its track that is free.
func (t *trace) process(id int, name string, list []slice, profile *simulate.Profile) {
	t.event(traceEvent{Phase: "M", Name: "process_name", Process: id, Args: map[string]any{"name": name}})
	slices.SortStableFunc(list, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.track, b.track), cmp.Compare(a.from, b.from))
	})
	thread, track := 0, ""
	var free []simulate.Tick // by lane of the track
	for _, x := range list {
		if x.track != track {
			thread += len(free)
			track, free = x.track, nil
		}
		lane := slices.IndexFunc(free, func(at simulate.Tick) bool { return at <= x.from })
		if lane < 0 {
			lane = len(free)
			free = append(free, 0)
			title := track
			if lane > 0 {
				title = fmt.Sprintf("%s (%d)", track, lane+1)
			}
			t.event(traceEvent{Phase: "M", Name: "thread_name", Process: id, Thread: thread + lane + 1,
				Args: map[string]any{"name": title}})
			t.event(traceEvent{Phase: "M", Name: "thread_sort_index", Process: id, Thread: thread + lane + 1,
				Args: map[string]any{"sort_index": thread + lane}})
		}
		free[lane] = x.to
		c := &profile.Classes[x.issue.Instr-1]
		cycles := func(at simulate.Tick) float64 { return float64(at) / float64(profile.TicksPerCycle) }
		duration := cycles(x.to) - cycles(x.from)
		t.event(traceEvent{Phase: "X", Name: c.Op, Process: id, Thread: thread + lane + 1, Start: cycles(x.from),
			Duration: &duration, Args: map[string]any{
				"line": c.Pos.String(), "group": x.issue.Group, "warp": x.issue.Warp, "ready": cycles(x.issue.Ready),
			}})
	}
}
