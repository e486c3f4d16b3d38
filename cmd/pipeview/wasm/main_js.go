// Command wasm makes predictions in a worker of a browser. It gives the worker two functions,
//
//	pipeviewEvaluate(request, answer)
//	pipeviewCancel()
//
// The first takes a view.Request as JSON and a function, which it calls with a view.Response as JSON and whether that
// is the last one. The other ends what runs.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"gpupipe/internal/view"
)

// longest is the time that a prediction may take.
const longest = 2 * time.Minute

func main() {
	evaluator := new(view.Evaluator)
	stop := context.CancelFunc(func() {})
	js.Global().Set("pipeviewEvaluate", js.FuncOf(func(_ js.Value, args []js.Value) any {
		stop()
		var ctx context.Context
		ctx, stop = context.WithTimeout(context.Background(), longest)
		text, answer := args[0].String(), args[1]
		go evaluate(&listening{ctx, time.Now()}, evaluator, text, func(out string, last bool) {
			answer.Invoke(out, last)
		})
		return nil
	}))
	js.Global().Set("pipeviewCancel", js.FuncOf(func(js.Value, []js.Value) any {
		stop()
		return nil
	}))
	js.Global().Call("pipeviewReady")
	select {}
}

// listening is a context that lets the worker take messages, among them that to cancel, each time it is asked whether
// it has ended and some time has passed: WebAssembly has one thread.
type listening struct {
	context.Context
	last time.Time
}

// between is how long the worker computes without taking messages; taking them costs up to some milliseconds.
const between = 100 * time.Millisecond

// Err is that of the context.
func (l *listening) Err() error {
	if time.Since(l.last) > between {
		time.Sleep(1)
		l.last = time.Now()
	}
	return l.Context.Err()
}

// evaluate answers a request.
func evaluate(ctx context.Context, v *view.Evaluator, text string, answer func(out string, last bool)) {
	var request view.Request
	if err := json.Unmarshal([]byte(text), &request); err != nil {
		answer(failed(err), true)
		return
	}
	answer(document(v.Evaluate(ctx, &request, func(early *view.Response) { answer(document(early), false) })), true)
}

func document(r *view.Response) string {
	out, err := json.Marshal(r)
	if err != nil { // a number that is none
		return failed(err)
	}
	return string(out)
}

// failed is the answer to a request that cannot be read or answered.
func failed(err error) string {
	out, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string has always a form
	return string(out)
}
