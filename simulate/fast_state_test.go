package simulate

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// runningMachine is a fast engine that has issued what it can at time 0.
func runningMachine(t *testing.T, mode IssueMode, s Scheduler) *machine {
	f := newFixture(t, 2, "alu", "sync")
	d := f.mapping.Device
	d.IssueInterval, d.Partitions = cycles(t, "2"), 2
	in := f.class("add.f32", "alu", "4", "9")
	barrier := f.class("barrier", "sync", "3", "7")
	f.pair(barrier, 0, "1")
	f.begin()
	var all []idg.Edge
	for v := range 300 {
		f.builder.Add(in)
		all = append(all, data(idg.Executed(v)))
	}
	f.builder.Add(barrier, all...)
	f.builder.Add(in, data(0), control(300))
	f.builder.Add(in, control(300))
	setup, err := (&Launch{kinds: []GroupKind{{f.graph(10), &f.mapping, 1}}}).prepare(Config{Issue: mode, Scheduler: s,
		Concurrent: 2, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	m := setup.newFastEngine()
	for slot := range m.slots {
		m.start(slot)
	}
	switch e := m.engine.(type) {
	case *inOrder:
		e.issueAll()
	case *dataflow:
		e.issueAll()
	}
	return m
}

// TestStateIsWhole: a state is equal to itself, also at a later time, and
// differs when any part of it does.
func TestStateIsWhole(t *testing.T) {
	type change struct {
		name string
		do   func(m *machine)
	}
	common := []change{
		{"subsystem", func(m *machine) { m.cores[0].ports[0].free++ }},
		{"last turn", func(m *machine) { m.cores[0].queues[0].begun = 5 }},
		{"valve", func(m *machine) { m.cores[1].valve = 5 }},
		{"reads of registers", func(m *machine) { m.cores[1].reading = 5 }},
		{"turn", func(m *machine) { m.turn++ }},
		{"live warps", func(m *machine) { m.live[1]-- }},
		{"replacement time", func(m *machine) { m.coming |= 1 }},
		{"next start", func(m *machine) { m.nextStart = 99 }},
	}
	byScheduler := map[Scheduler][]change{
		RoundRobin:         {{"last place", func(m *machine) { m.cores[0].last = 3 }}},
		GreedyThenOldest:   {{"greedy warp", func(m *machine) { m.cores[0].last = 3 }}},
		GreedyThenYoungest: {{"greedy warp", func(m *machine) { m.cores[0].last = 3 }}},
		Oldest:             {{"ages", func(m *machine) { m.ranks.order[0], m.ranks.order[1] = 1, 0 }}},
		GroupPrecedence:    {{"last warp of a group", func(m *machine) { m.ranks.last[3]++ }}},
	}
	lanes := func(f func(w *lane)) func(*machine) {
		return func(m *machine) { f(&m.engine.(*inOrder).lanes[1]) }
	}
	flows := func(f func(w *flow)) func(*machine) {
		return func(m *machine) { f(&m.engine.(*dataflow).flows[1]) }
	}
	byMode := map[IssueMode][]change{
		InOrder: {
			{"next", lanes(func(w *lane) { w.next++ })},
			{"state", lanes(func(w *lane) { w.state = laneParked })},
			{"event", func(m *machine) { m.agenda.at[m.cores[0].last]++ }},
			{"since", lanes(func(w *lane) { w.since-- })},
			{"started", lanes(func(w *lane) { w.started-- })},
			{"end", lanes(func(w *lane) { w.end = 99 })},
			{"open barriers", lanes(func(w *lane) { w.open++ })},
			{"barriers", lanes(func(w *lane) { w.arrived++ })},
			{"time", func(m *machine) {
				w := &m.engine.(*inOrder).lanes[m.cores[0].last]
				w.times[2*(w.issued-1)&uint32(len(w.times)-1)] += 100
			}},
		},
		Dataflow: {
			{"unissued", flows(func(w *flow) { w.unissued-- })},
			{"ready", flows(func(w *flow) { w.count-- })},
			{"ready set", flows(func(w *flow) { w.ready.words[3] ^= 4 })},
			{"since", flows(func(w *flow) { w.since-- })},
			{"started", flows(func(w *flow) { w.started-- })},
			{"interval", flows(func(w *flow) { w.allowed++ })},
			{"end", flows(func(w *flow) { w.end = 99 })},
			{"open barriers", flows(func(w *flow) { w.open++ })},
			{"dependences", flows(func(w *flow) { w.waits[300]-- })},
			{"rounds of dependences", flows(func(w *flow) { w.rounds[0]-- })},
			{"event", func(m *machine) { m.engine.(*dataflow).futures.rings[0].ring[0].at++ }},
			{"instruction of an event", func(m *machine) { m.engine.(*dataflow).futures.rings[0].ring[0].number++ }},
		},
	}
	byMode[Blocks] = append(byMode[Dataflow], change{"block", flows(func(w *flow) { w.id++ })},
		change{"barriers", flows(func(w *flow) { w.passed++ })})
	for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
		for _, s := range latencies.Schedulers() {
			same := func(do func(m *machine)) bool {
				m := runningMachine(t, mode, s)
				var w stateWalk
				w.begin(false)
				m.visit(&w)
				do(m)
				w.begin(true)
				m.visit(&w)
				return w.same && w.complete()
			}
			if !same(func(*machine) {}) || !same(func(m *machine) { m.shift(1e6, 1e6) }) {
				t.Errorf("%v, %v: a state differs from itself", mode, s)
			}
			for _, c := range slices.Concat(byMode[mode], byScheduler[s], common) {
				if same(c.do) {
					t.Errorf("%v, %v: another %s is not seen", mode, s, c.name)
				}
			}
		}
	}
}
