package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gpupipe/latencies"
)

// study is one specification with its table and predictions.
type study struct {
	spec        *Spec
	table       *table
	apart       [][]bool // by the spec's Apart, by row
	predictor   *predictor
	predictions []prediction // by row
	every       int          // rows of the table to one of the study
	sources     string       // a folder
	peakBytes   uint64       // most heap in use, sampled
}

// newStudy reads what a specification names.
func newStudy(o *options, s *Spec, d *latencies.Device) (*study, error) {
	t, err := readTable(filepath.Join(o.measured, s.Measured), s.Time, o.every*max(1, s.Every))
	if err != nil {
		return nil, err
	}
	p, err := newPredictor(filepath.Join(o.sources, s.Source), s, d, o)
	if err != nil {
		return nil, err
	}
	apart, err := apartOf(s, t)
	if err != nil {
		return nil, fmt.Errorf("apart: %w", err)
	}
	return &study{spec: s, table: t, apart: apart, predictor: p, every: o.every * max(1, s.Every), sources: o.sources}, nil
}

// predictAll predicts every row, some at the same time.
func (s *study) predictAll(ctx context.Context, jobs int, progress io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	start := time.Now()
	s.predictions = make([]prediction, len(s.table.rows))
	var next, done atomic.Int64
	var first error
	var once sync.Once
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.table.rows) || ctx.Err() != nil {
					return
				}
				p, err := s.predictor.predict(ctx, s.table, &s.table.rows[i])
				if err != nil {
					once.Do(func() { first = fmt.Errorf("row %d, %v: %w", i+1, s.table.defines(&s.table.rows[i]), err) })
					cancel()
					return
				}
				s.predictions[i] = p
				done.Add(1)
			}
		})
	}
	finished := make(chan struct{})
	go func() { workers.Wait(); close(finished) }()
	s.watch(finished, func() { fmt.Fprintf(progress, "%s: %d of %d\n", s.spec.Title, done.Load(), len(s.table.rows)) })
	fmt.Fprintf(progress, "%s: %d configurations in %.1f s, at most %d MB of memory\n", s.spec.Title, done.Load(), time.Since(start).Seconds(), s.peakBytes>>20)
	if first == nil {
		first = ctx.Err()
	}
	return first
}

// watch samples the memory in use until the work is finished, and reports every
// ten seconds.
func (s *study) watch(finished <-chan struct{}, report func()) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := 1; ; n++ {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		s.peakBytes = max(s.peakBytes, m.HeapInuse+m.StackInuse)
		if n%100 == 0 {
			report()
		}
		select {
		case <-finished:
			return
		case <-tick.C:
		}
	}
}
