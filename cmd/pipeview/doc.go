// Command pipeview shows in a browser how GPU kernels run: a source is edited on the left, and the prediction
// of it for one or two devices stands on the right.
//
// It serves the page on this machine (server.go) or writes it as a static site (export.go) whose predictions
// a worker makes with the same code compiled to WebAssembly (package wasm). Package view answers both.
//
//	root.go    the command line
//	server.go  requests; guard.go refuses those of other hosts and pages, queue.go bounds those that compute
//	assets.go  the page's files, in assets/
//	export.go  the static site
//
// # Invariants
//
//   - Nothing is served to any other name than 127.0.0.1 and localhost, nor to other pages.
//   - No file of the machine is read but those that the command line names, when the command starts.
//   - Each request has an answer in a bounded time; more than a bounded number at once are refused.
package main
