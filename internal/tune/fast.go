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
	code int // stored instructions
}

// Predictions are kept of as many launches as a table has rows by default, and of as many as take little memory: a
// stored instruction has up to half a kilobyte where each has addresses of its own.
const (
	mostKept = 20
	mostCode = 1 << 18 // stored instructions of all of them
)

func (f *predictions) keep(p prediction) {
	for _, k := range p.graph.GroupKinds() {
		for _, q := range k.Graph.Programs() {
			p.code += q.StaticLen()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at, _ := slices.BinarySearchFunc(f.list, p, func(a, b prediction) int {
		return cmp.Compare(a.result.Seconds, b.result.Seconds)
	})
	f.list = slices.Insert(f.list, at, p)
	kept, code := 0, 0
	f.list = slices.DeleteFunc(f.list, func(q prediction) bool {
		if kept == mostKept || code+q.code > mostCode {
			return true
		}
		kept, code = kept+1, code+q.code
		return false
	})
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
