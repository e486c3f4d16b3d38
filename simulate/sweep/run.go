package sweep

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// slot is a mapped launch that several configurations share. It is made by the first
// worker that needs it and dropped when the last of its rows is out.
type slot struct {
	once     sync.Once
	launch   *simulate.Launch
	err      error
	warnings diag.List
}

// ahead is how many configurations per job may be finished before an earlier
// one is: enough that no job waits for a configuration that takes much longer than
// others, and a bound on memory.
const ahead = 256

// finished is what a worker hands back.
type finished struct {
	k     int
	row   Row
	err   error
	panic string
}

// Run simulates the configurations from the k-th on, so many at a time, and
// calls emit with each row in order, in the calling goroutine. It ends early if
// emit fails or ctx ends; the rows emitted until then are complete. A plan can be
// run again, but not twice at the same time.
func (p *Plan) Run(ctx context.Context, k, jobs int, emit func(*Row) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p.slots = make([]slot, p.maps)
	jobs = max(1, min(jobs, p.Len()-k))
	window := jobs * ahead
	todo, done := make(chan int), make(chan finished, window)
	room := make(chan struct{}, window) // taken by configurations that are not out
	last := p.Len()
	if jobs > 1 {
		last = max(k, last-jobs*balanced)
	}
	ending := p.longestFirst(last)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range todo {
				done <- p.work(ctx, i)
			}
		})
	}
	workers.Go(func() {
		defer close(todo)
		for i := k; i < last; i++ {
			if !send(ctx, room, struct{}{}) || !send(ctx, todo, i) {
				return
			}
		}
		for range ending { // so that all of them lie within the window
			if !send(ctx, room, struct{}{}) {
				return
			}
		}
		for _, i := range ending {
			if !send(ctx, todo, i) {
				return
			}
		}
	})
	err := p.collect(ctx, k, window, done, room, emit)
	stop()
	workers.Wait()
	return err
}

// send reports whether a value was sent before ctx ended.
func send[T any](ctx context.Context, to chan<- T, value T) bool {
	select {
	case to <- value:
		return true
	case <-ctx.Done():
		return false
	}
}

// collect puts finished rows in order.
func (p *Plan) collect(ctx context.Context, next, window int, done <-chan finished, room <-chan struct{},
	emit func(*Row) error) error {
	early := make([]*finished, window) // by k modulo window
	dropped := 0                       // mappings before this one
	for next < p.Len() {
		var f finished
		select {
		case f = <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if f.panic != "" {
			panic(f.panic)
		}
		early[f.k%window] = &f
		for next < p.Len() {
			f := early[next%window]
			if f == nil {
				break
			}
			if f.err != nil {
				return f.err
			}
			if err := emit(&f.row); err != nil {
				return err
			}
			early[next%window] = nil
			for ; dropped < f.row.mapping; dropped++ {
				p.slots[dropped].launch = nil
			}
			<-room
			next++
		}
	}
	return nil
}

// work simulates one configuration. A panic is handed on to the caller of Run.
func (p *Plan) work(ctx context.Context, k int) (f finished) {
	f.k = k
	defer func() {
		if v := recover(); v != nil {
			f.panic = fmt.Sprintf("%v\n%s", v, debug.Stack())
		}
	}()
	f.row.Configuration = p.Configuration(k)
	c := &f.row.Configuration
	index := p.combination(c.mapping * p.perMap)
	r, err := func() (*simulate.Result, error) {
		l, err := p.launch(index, c.mapping)
		if err != nil {
			return nil, err
		}
		cfg := c.config
		cfg.Precision = p.precision(c)
		r, err := l.Run(ctx, cfg)
		if err == nil {
			err = diag.AsDefect(r.Verify())
		}
		return r, err
	}()
	if err == nil {
		f.row.Outcome = outcomeOf(r)
		return f
	}
	var one *diag.Error
	var list diag.List
	switch {
	case ctx.Err() != nil:
		f.err = ctx.Err()
	case errors.As(err, &list), errors.As(err, &one):
		f.row.Error = reason(err)
	case diag.IsDefect(err):
		f.err = err
	default:
		f.err = diag.AsDefect(err)
	}
	return f
}

// launch maps the graph of a combination, once.
func (p *Plan) launch(index []int, k int) (*simulate.Launch, error) {
	s := &p.slots[k]
	s.once.Do(func() {
		mapper, err := latencies.NewMapper(p.space.device(index[0], index[1]), p.rules(index))
		if err != nil {
			s.err = err
			return
		}
		g := p.space.Graphs[index[0]].Graph
		m, err := mapper.MapWith(g, latencies.Options{Warm: p.space.Warm})
		if err != nil {
			s.err = err
			return
		}
		if err := m.Verify(g); err != nil {
			s.err = diag.AsDefect(err)
			return
		}
		s.launch, s.warnings = simulate.NewLaunch(g, m), m.Warnings
	})
	return s.launch, s.err
}

// Warnings is what the mappings of the configurations that were run warn of,
// each text once, and of a rule with several values for the first only. It must not be
// called while Run is running.
func (p *Plan) Warnings() diag.List {
	var list diag.List
	varied := map[string]string{} // what is varied, by rule
	for _, v := range p.space.Vary {
		for _, r := range v.Rules {
			varied[strconv.Quote(r.Text)] = strconv.Quote(v.Name)
		}
	}
	seen := map[string]bool{}
	for i := range p.slots {
		for _, w := range p.slots[i].warnings {
			for rule, name := range varied {
				if text, of := strings.CutPrefix(w.Message, "--set "+rule); of {
					once := *w
					once.Message = "--vary " + name + text
					w = &once
					break
				}
			}
			if text := w.Error(); !seen[text] {
				seen[text] = true
				list.Add(w)
			}
		}
	}
	return list
}

// maxReason bounds the text of an error in a row.
const maxReason = 400

// reason is an error in one line: its code and what is wrong.
func reason(err error) string {
	var list diag.List
	var one *diag.Error
	if !errors.As(err, &list) && errors.As(err, &one) {
		list = diag.List{one}
	}
	var texts []string
	for _, e := range list {
		text := e.Code + ": " + e.Message
		if e.Severity == diag.SeverityError && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	text := []rune(OneLine(strings.Join(texts, "; ")))
	if len(text) > maxReason {
		text = append(text[:maxReason-1], '…')
	}
	return string(text)
}
