// Command wasm makes predictions in a worker of a browser. It gives the worker a function
//
//	pipeviewEvaluate(request, answer)
//
// that takes a view.Request as JSON and a function, which it calls with a view.Response as JSON and whether that is
// the last one.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"gpupipe/internal/view"
)

func main() {
	js.Global().Set("pipeviewEvaluate", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, answer := args[0].String(), args[1]
		go evaluate(text, func(out string, last bool) { answer.Invoke(out, last) })
		return nil
	}))
	js.Global().Call("pipeviewReady")
	select {}
}

// evaluate answers a request.
func evaluate(text string, answer func(out string, last bool)) {
	var request view.Request
	if err := json.Unmarshal([]byte(text), &request); err != nil {
		answer(failed(err), true)
		return
	}
	answer(document(view.Evaluate(context.Background(), &request, func(early *view.Response) {
		answer(document(early), false)
	})), true)
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
