package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
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
	steps       []*predictor // of a series, by step; nil = none
	outcomes    []outcome    // of every row of the table
	predictions []prediction // of the rows that are left after settle, by row
	every       int          // rows of the table's file to one of the study
	peakBytes   uint64       // most heap in use, sampled
	counters    []counters   // by row; nil = none
}

// newStudy reads what a specification names.
func newStudy(o *options, s *Spec, d *latencies.Device) (*study, error) {
	if len(s.Series) > 0 {
		return newSeries(o, s, d)
	}
	t, err := readTable(filepath.Join(o.measured, s.Measured), s, o.every*max(1, s.Every))
	if err != nil {
		return nil, err
	}
	p, err := newPredictor(s, d, o)
	if err != nil {
		return nil, err
	}
	apart, err := apartOf(s, t)
	if err != nil {
		return nil, fmt.Errorf("apart: %w", err)
	}
	return &study{spec: s, table: t, apart: apart, predictor: p, every: o.every * max(1, s.Every)}, nil
}

// predictAll predicts every row, some at the same time, and keeps those that can be
// compared.
func (s *study) predictAll(ctx context.Context, jobs int, progress io.Writer) error {
	start := time.Now()
	s.outcomes = make([]outcome, len(s.table.rows))
	took := make([]time.Duration, len(s.table.rows))
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.table.rows) || ctx.Err() != nil {
					return
				}
				o, from := &s.outcomes[i], time.Now()
				o.row = s.table.rows[i]
				o.prediction, o.err = s.predictorOf(&o.row).predict(ctx, s.table, &o.row)
				took[i] = time.Since(from)
				done.Add(1)
			}
		})
	}
	finished := make(chan struct{})
	go func() { workers.Wait(); close(finished) }()
	s.watch(finished, func() { fmt.Fprintf(progress, "%s: %d of %d\n", s.spec.Title, done.Load(), len(s.table.rows)) })
	fmt.Fprintf(progress, "%s: %d configurations in %.1f s, one in at most %.1f s, at most %d MB of memory\n",
		s.spec.Title, done.Load(), time.Since(start).Seconds(), slices.Max(took).Seconds(), s.peakBytes>>20)
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.settle()
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
