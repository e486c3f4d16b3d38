// Package view answers what a page asks: how does this source run on these devices?
//
// It consumes a Request (a source or the name of a built-in kernel, with its launch, devices, options and
// factors of its loops) and produces a Response: diagnostics with positions, the source's kernels, and for
// each device the kernel's loops and the prediction as "pipesim --format json" writes it. Request and
// Response are JSON documents, the same for a server and for a worker in a browser.
//
// # Invariants
//
//   - The numbers are those of "idgen ... | pipesim --format json" with the same choices.
//   - Nothing is read but the request; #include finds Request.Files and the libraries' headers.
//   - Every request has an answer: what is too large or takes longer than its context is a diagnostic, as is a
//     defect of the program.
//   - The same request gives the same bytes.
package view
