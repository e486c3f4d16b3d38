package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"gpupipe/internal/view"
)

// Bounds on work at once. What is cancelled keeps its slot until it has ended: memory is bounded by the slots.
const (
	slots   = 2
	waiting = 16
	// mostDocuments is how many a request is answered with: more than that, and work would wait for its reader.
	mostDocuments = view.Early + 1
)

// Errors of queue.do.
var (
	errBusy       = errors.New("too many requests at once; try again in a moment")
	errLate       = errors.New("there is no answer in time; try again in a moment")
	errSuperseded = errors.New("a newer request of this page took the place of this one")
)

// queue lets some evaluations run and some wait.
type queue struct {
	longest time.Duration // from a request to its answer
	free    chan struct{} // a token for each evaluation that may start

	mu     sync.Mutex
	inside int
	newest map[string]*entry // by page
}

// entry is a request in the queue.
type entry struct{ cancel context.CancelCauseFunc }

func newQueue(longest time.Duration) *queue {
	q := &queue{longest: longest, free: make(chan struct{}, slots), newest: map[string]*entry{}}
	for range slots {
		q.free <- struct{}{}
	}
	return q
}

// do does the work of a page when a slot is free, and sends on what it gives, at most a few documents. A newer
// request of the same page, if it has a name, ends it.
func (q *queue) do(ctx context.Context, page string, work func(ctx context.Context, give func([]byte)),
	send func([]byte)) error {
	ctx, stop := context.WithTimeoutCause(ctx, q.longest, errLate)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e := &entry{cancel}
	if !q.enter(page, e) {
		return errBusy
	}
	defer q.leave(page, e)
	select {
	case <-q.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	documents := make(chan []byte, mostDocuments)
	go func() {
		defer func() { q.free <- struct{}{} }()
		defer close(documents)
		work(ctx, func(document []byte) { documents <- document })
	}()
	for {
		select {
		case document, more := <-documents:
			if !more {
				return nil
			}
			send(document)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// enter takes a place, and ends an older request of the page.
func (q *queue) enter(page string, e *entry) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if older := q.newest[page]; page != "" && older != nil {
		older.cancel(errSuperseded)
	}
	if q.inside == slots+waiting {
		return false
	}
	q.inside++
	if page != "" {
		q.newest[page] = e
	}
	return true
}

func (q *queue) leave(page string, e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inside--
	if q.newest[page] == e {
		delete(q.newest, page)
	}
}
