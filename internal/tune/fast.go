package tune

import (
	"cmp"
	"slices"
	"sync"

	"gpupipe/idg"
)

// predictions are the fastest ones so far with their graphs: their intervals begin with what is known of them.
type predictions struct {
	mu   sync.Mutex
	list []prediction // the fastest first
}

// prediction is what was predicted of a launch.
type prediction struct {
	launch string
	graph  *idg.Graph
	run
}

// Predictions are kept of as many launches as a table has rows by default, and of graphs that take little memory.
const (
	mostKept = 20
	mostCode = 1 << 16 // stored instructions
)

func (f *predictions) keep(p prediction) {
	code := 0
	for _, q := range p.graph.Programs() {
		code += q.StaticLen()
	}
	if code > mostCode {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at, _ := slices.BinarySearchFunc(f.list, p, func(a, b prediction) int {
		return cmp.Compare(a.result.Seconds, b.result.Seconds)
	})
	f.list = slices.Insert(f.list, at, p)
	if len(f.list) > mostKept {
		f.list[mostKept] = prediction{}
		f.list = f.list[:mostKept]
	}
}

// of is the graph of a launch and what is known of it; nil: nothing.
func (f *predictions) of(launch string) (*idg.Graph, []run) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.list {
		if p := &f.list[i]; p.launch == launch {
			return p.graph, []run{p.run}
		}
	}
	return nil, nil
}
