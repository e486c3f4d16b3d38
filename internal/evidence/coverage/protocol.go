package main

// A child process reads jobs as JSON lines from its standard input and answers
// each with events on its standard output, in order: one fileEvent, a
// startEvent and a resultEvent for each kernel, an endEvent.

// job is a file to work on.
type job struct {
	File string `json:"file"`
	// Skip is how many kernels an earlier process has dealt with.
	Skip int `json:"skip"`
	// Flags are those of the file alone, before those of the command line.
	Flags compileFlags `json:"flags"`
}

type eventKind string

const (
	fileEvent   eventKind = "file"   // the file has been parsed
	startEvent  eventKind = "start"  // a kernel's turn has come
	resultEvent eventKind = "result" // a kernel is done
	endEvent    eventKind = "end"    // the file is done
)

type event struct {
	Kind   eventKind `json:"kind"`
	Result result    `json:"result"`
}

// result is what became of one kernel.
type result struct {
	File   string `json:"file"`
	Kernel string `json:"kernel"`
	// Stage is where it failed: "parse", "lower", "execute"; empty = it gave a
	// graph.
	Stage  string `json:"stage"`
	Reason string `json:"reason"` // with its position
	// Nodes is the number of instructions of the graph.
	Nodes int `json:"nodes"`
	// Heap is the largest size of the heap in bytes, while the file was parsed or
	// the kernel was worked on, as far as samples show.
	Heap   int64   `json:"heap"`
	Millis float64 `json:"ms"` // processor time of the kernel, or of the file where it cannot be parsed
}

// Exit status of a child that has used more memory or processor time than allowed.
const (
	exitMemory = 86
	exitTime   = 87
)
