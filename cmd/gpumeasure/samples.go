package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/measure"
)

// sampleFile is the file of samples that grows during a run.
type sampleFile struct {
	name string
	file *os.File
}

// most bytes of a file of samples that are read.
const mostSampleBytes = 1 << 28

// readSamples reads a file that a run wrote, compressed or not. What an interrupted run left of its last line is
// ignored.
func readSamples(name string) (measure.Properties, []measure.Sample, error) {
	const tooLong = "samples of more than %d MB are refused"
	data, err := console.ReadFile(name, mostSampleBytes, tooLong)
	if err != nil {
		return measure.Properties{}, nil, err
	}
	if packed, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if data, err = console.Read(packed, name, mostSampleBytes, tooLong); err != nil {
			return measure.Properties{}, nil, err
		}
	}
	return measure.ReadSamples(bytes.NewReader(data[:bytes.LastIndexByte(data, '\n')+1]), name)
}

// readRuns reads the samples of several runs on one device.
func readRuns(names []string) (device measure.Properties, samples []measure.Sample, err error) {
	for i, name := range names {
		is, list, err := readSamples(name)
		if err != nil {
			return device, nil, err
		}
		if i > 0 && is != device {
			return device, nil, diag.Errorf(diag.Pos{File: name}, codeDevice,
				"the samples are of %s, driver %s; those of "+
					"%s are of %s, driver %s", is.Name, is.Driver, names[0], device.Name, device.Driver)
		}
		device, samples = is, append(samples, list...)
	}
	return device, samples, nil
}

// startSamples writes the samples that are known, and opens the file for those that follow.
func startSamples(c *console.Console, name string, device measure.Properties, known []measure.Sample) (*sampleFile,
	error) {
	if err := c.Emit(name, func(w io.Writer) error { return measure.WriteSamples(w, device, known) }); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, console.OutputError(name, err)
	}
	return &sampleFile{name, file}, nil
}

// add appends the samples of a point in one write.
func (f *sampleFile) add(samples []measure.Sample) error {
	var text bytes.Buffer
	if err := measure.AppendSamples(&text, samples); err != nil {
		return err
	}
	if _, err := f.file.Write(text.Bytes()); err != nil {
		return console.OutputError(f.name, err)
	}
	return nil
}

func (f *sampleFile) close() error {
	if err := f.file.Close(); err != nil {
		return console.OutputError(f.name, err)
	}
	return nil
}

// refuseOld is an error if a run would overwrite samples.
func refuseOld(name string) error {
	switch _, err := os.Stat(name); {
	case err == nil:
		return diag.Errorf(diag.Pos{File: name}, codeDevice, "the file exists").WithNote(
			"continue it with --resume %s, or choose another folder with -o", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return console.FileError(name, err)
	}
}
