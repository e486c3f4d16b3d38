package view

import (
	"cmp"
	"io/fs"
	"slices"

	"gpupipe/kernels"
	"gpupipe/latencies"
)

// Catalogue is what requests can name.
type Catalogue struct {
	Kernels    []BuiltinKernel `json:"kernels"` // what people write first, then those of papers and microbenchmarks
	First      int             `json:"first"`   // how many are offered at first
	Devices    []DeviceName    `json:"devices"`
	Default    string          `json:"default"` // device
	Issue      []string        `json:"issue"`
	Schedulers []string        `json:"schedulers"`
	MaxText    int             `json:"max_text"` // bytes
	Sources    []Source        `json:"sources"`  // that the page was opened with
}

// BuiltinKernel is a built-in kernel with its text.
type BuiltinKernel struct {
	Name    string   `json:"name"`
	Summary string   `json:"summary"`
	File    string   `json:"file"`
	Kernel  string   `json:"kernel"`
	Defines []string `json:"defines"`
	Text    string   `json:"text"`
}

// DeviceName is a built-in device.
type DeviceName struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Source is a text with its name.
type Source struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// written are the kernels that people write, in the order in which courses have them.
var written = []string{"mmul", "mmul-cuda", "vadd", "vadd-cuda", "transpose-naive", "transpose-tiled",
	"transpose-padded", "reduction", "reduction-cuda", "stencil", "convolution", "nbody", "black-scholes", "vabs",
	"permute"}

// NewCatalogue lists what is built in.
func NewCatalogue() (*Catalogue, error) {
	c := &Catalogue{Default: latencies.Default, MaxText: MaxText, Sources: []Source{}}
	c.First = len(written)
	list := kernels.List()
	slices.SortStableFunc(list, func(a, b kernels.Kernel) int { return cmp.Compare(rank(a), rank(b)) })
	for _, k := range list {
		text, err := fs.ReadFile(kernels.FS(), k.File)
		if err != nil {
			return nil, err
		}
		c.Kernels = append(c.Kernels, BuiltinKernel{k.Name, k.Summary, k.File, k.Function,
			append([]string{}, k.Defines...), string(text)})
	}
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
		if err != nil {
			return nil, err
		}
		c.Devices = append(c.Devices, DeviceName{d.Name, d.Title})
	}
	c.Issue, c.Schedulers = latencies.IssueModeNames(), latencies.SchedulerNames()
	return c, nil
}

// rank is the place of a kernel among those that people write; others have the last one.
func rank(k kernels.Kernel) int {
	if i := slices.Index(written, k.Name); i >= 0 {
		return i
	}
	return len(written)
}
