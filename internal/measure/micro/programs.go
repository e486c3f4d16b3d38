package micro

import (
	"context"
	"runtime"
	"slices"

	"gpupipe/internal/measure/driver"
)

// key is what a program depends on.
type key struct {
	class  string
	chains int
}

// programs are compiled in the order in which they are expected, some ahead of the one that is measured.
type programs struct {
	compile  func(context.Context, key) (*spec, driver.Program, error)
	expected []key
	pending  map[key]*pending
}

// pending is a program that is being compiled, or is.
type pending struct {
	done    chan struct{}
	spec    *spec
	program driver.Program
	err     error
}

// mostAhead bounds the programs that are compiled at once: a compiler of GPUs takes some 100 MB.
const mostAhead = 8

func (p *programs) expect(k key) {
	if !slices.Contains(p.expected, k) {
		p.expected = append(p.expected, k)
	}
}

// get waits for a program, and has those behind it compiled meanwhile.
func (p *programs) get(ctx context.Context, k key) (*pending, error) {
	if i := slices.Index(p.expected, k); i >= 0 {
		p.expected = p.expected[i:]
	} else {
		p.expected = []key{k}
	}
	for _, next := range p.expected[:min(len(p.expected), mostAhead, runtime.GOMAXPROCS(0))] {
		p.start(ctx, next)
	}
	it := p.pending[k]
	<-it.done
	if it.err != nil {
		delete(p.pending, k)
	}
	return it, it.err
}

func (p *programs) start(ctx context.Context, k key) {
	if p.pending[k] != nil {
		return
	}
	it := &pending{done: make(chan struct{})}
	if p.pending == nil {
		p.pending = map[key]*pending{}
	}
	p.pending[k] = it
	go func() {
		defer close(it.done)
		it.spec, it.program, it.err = p.compile(ctx, k)
	}()
}

// drop closes a program, if it was compiled.
func (p *programs) drop(k key) {
	it := p.pending[k]
	if it == nil {
		return
	}
	delete(p.pending, k)
	if <-it.done; it.program != nil {
		it.program.Close()
	}
}

func (p *programs) close() {
	for k := range p.pending {
		p.drop(k)
	}
}
