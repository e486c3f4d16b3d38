package view

import (
	"io/fs"

	"gpupipe/kernels"
	"gpupipe/latencies"
)

// Catalogue is what requests can name.
type Catalogue struct {
	Kernels    []BuiltinKernel `json:"kernels"`
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

// NewCatalogue lists what is built in.
func NewCatalogue() (*Catalogue, error) {
	c := &Catalogue{Default: latencies.Default, MaxText: MaxText, Sources: []Source{}}
	for _, k := range kernels.List() {
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
