package measure

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// version is that of the file of samples. What classes of version 1 measured besides, Class.Besides tells.
const version = "2"

// codeSamples is the code of diagnostics about a file of samples.
const codeSamples = "SAMPLES"

// fields are those of a sample in the order of the columns.
func (s *Sample) fields() []field {
	return []field{
		{"class", &s.Class}, {"chains", &s.Chains}, {"group_size", &s.GroupSize}, {"groups", &s.Groups},
		{"warps_per_unit", &s.WarpsPerUnit}, {"instructions", &s.Instructions}, {"repetition", &s.Repetition},
		{"seconds", &s.Seconds}, {"cycles", &s.Cycles}, {"clock_before_mhz", &s.ClockBefore},
		{"clock_after_mhz", &s.ClockAfter}, {"marked", &s.Marked},
	}
}

// header are the names of the columns.
func header() (names []string) {
	for _, f := range new(Sample).fields() {
		names = append(names, f.name)
	}
	return names
}

// WriteSamples writes the device as comments, then one row for each sample.
func WriteSamples(w io.Writer, device Properties, samples []Sample) error {
	if err := WriteHeader(w, device); err != nil {
		return err
	}
	return AppendSamples(w, samples)
}

// WriteHeader writes what stands before the samples: the device as comments, then the columns.
func WriteHeader(w io.Writer, device Properties) error {
	text := bufio.NewWriter(w)
	is := version
	if device.Former {
		is = "1"
	}
	fmt.Fprintf(text, "# gpumeasure: %s\n", is)
	for _, f := range device.fields() {
		fmt.Fprintf(text, "# %s: %s\n", f.name, f)
	}
	fmt.Fprintln(text, strings.Join(header(), ","))
	return text.Flush()
}

// AppendSamples writes the rows of samples.
func AppendSamples(w io.Writer, samples []Sample) error {
	out := csv.NewWriter(w)
	for _, s := range samples {
		var record []string
		for _, f := range s.fields() {
			record = append(record, f.String())
		}
		_ = out.Write(record)
	}
	out.Flush()
	return out.Error() // the first failure of all
}

// ReadSamples reads what WriteSamples wrote; errors name the file and the line.
func ReadSamples(r io.Reader, file string) (Properties, []Sample, error) {
	text := bufio.NewReader(r)
	device, lines, err := readComments(text, file)
	if err != nil {
		return Properties{}, nil, err
	}
	in := csv.NewReader(text)
	columns := header()
	in.FieldsPerRecord = len(columns)
	fail := func(line int, format string, args ...any) (Properties, []Sample, error) {
		return Properties{}, nil, diag.Errorf(diag.Pos{File: file, Line: line}, codeSamples, format, args...)
	}
	var samples []Sample
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			return fail(lines+parse.Line, "%v", parse.Err)
		}
		if err != nil {
			return fail(0, "%v", err)
		}
		line, _ := in.FieldPos(0)
		if line == 1 {
			if !slices.Equal(record, columns) {
				return fail(lines+line, "the columns are %q; needed are %q", record, columns)
			}
			continue
		}
		s, err := parseSample(record)
		if err == nil {
			err = s.Verify()
		}
		if err != nil {
			return fail(lines+line, "%v", err)
		}
		samples = append(samples, s)
	}
	return device, samples, nil
}

// readComments reads the device, up to the line of the columns, and returns how many lines it is.
func readComments(text *bufio.Reader, file string) (device Properties, lines int, err error) {
	fields := device.fields()
	for {
		if mark, _ := text.Peek(1); string(mark) != "#" {
			break
		}
		line, err := text.ReadString('\n')
		if err != nil {
			return device, lines, diag.Errorf(diag.Pos{File: file, Line: lines + 1}, codeSamples,
				"the file ends in its header")
		}
		lines++
		name, value, _ := strings.Cut(strings.TrimSpace(line[1:]), ":")
		value = strings.TrimSpace(value)
		pos := diag.Pos{File: file, Line: lines}
		if name == "gpumeasure" {
			if value != version && value != "1" {
				return device, lines, diag.Errorf(pos, codeSamples,
					"version %q of samples is not known; this program reads 1 and %s", value, version)
			}
			device.Former = value == "1"
			continue
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if i < 0 {
			continue // a remark
		}
		if err := fields[i].set(value); err != nil {
			return device, lines, diag.Errorf(pos, codeSamples, "%q is not a valid %s", value, name)
		}
	}
	if lines == 0 {
		return device, 0, diag.Errorf(diag.Pos{File: file, Line: 1}, codeSamples,
			"the file has no header of gpumeasure")
	}
	return device, lines, nil
}

func parseSample(record []string) (s Sample, err error) {
	for i, f := range s.fields() {
		if err := f.set(record[i]); err != nil {
			return s, fmt.Errorf("%q is not a valid %s", record[i], f.name)
		}
	}
	return s, nil
}
