package main

import (
	"cmp"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/cmd/internal/source"
	"gpupipe/internal/generate"
	"gpupipe/latencies"
)

// openSource reads the source that the command line names.
func openSource(c *console.Console, o *options) (*generate.Source, error) {
	if o.builtin != "" {
		return generate.Builtin(o.builtin, o.dialect, o.defines)
	}
	return source.Read(c, o.input, o.dialect, o.defines)
}

// readChoices reads the files that flags name: the device of --gpu and --contents.
func (o *options) readChoices() (err error) {
	name := cmp.Or(o.gpu, latencies.Default)
	if o.Device, err = gpu.Find(name); err != nil {
		return err
	}
	o.GPU = gpu.GraphName(name, o.Device)
	o.Contents, err = source.ReadContents(o.contents)
	return err
}
