package view

import (
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// Request says what to predict. Empty fields take the commands' defaults; texts are written as the flags of
// idgen and pipesim take them.
type Request struct {
	Builtin string `json:"builtin,omitempty"` // name of a built-in kernel, or
	File    string `json:"file,omitempty"`    // name of the source: .cl, .cu or .hip
	Text    string `json:"text,omitempty"`
	// instead of a source and devices: "article", the example of A Fig. 1
	Example string            `json:"example,omitempty"`
	Files   map[string]string `json:"files,omitempty"` // texts for #include, by name

	Kernel   string   `json:"kernel,omitempty"` // where the source has several
	Defines  []string `json:"defines,omitempty"`
	Local    string   `json:"local,omitempty"`
	Global   string   `json:"global,omitempty"`
	Groups   string   `json:"groups,omitempty"` // of the launch, instead of global
	Args     []string `json:"args,omitempty"`   // NAME=VALUE
	Dynamic  *int64   `json:"dynamic_local,omitempty"`
	Compiler string   `json:"compiler,omitempty"`
	Unroll   []Factor `json:"unroll,omitempty"`

	Devices    []string `json:"devices,omitempty"` // names of one or two built-in devices
	Issue      string   `json:"issue,omitempty"`
	Scheduler  string   `json:"scheduler,omitempty"`
	IssueLimit string   `json:"issue_limit,omitempty"`
	UnitGroups int64    `json:"unit_groups,omitempty"` // that a compute unit executes
	Concurrent int64    `json:"concurrent,omitempty"`  // of them resident
	Rules      []string `json:"rules,omitempty"`       // as of pipesim --set

	Page  bool `json:"page,omitempty"`  // answer with Device.Page, too
	Brief bool `json:"brief,omitempty"` // without findings and other occupancies, which take further simulations
}

// Factor replaces the unroll factor of a loop: that of its pragma, or the compiler's.
type Factor struct {
	Loop   int   `json:"loop"`   // index of Device.Loops
	Factor int64 `json:"factor"` // 1 = rolled
}

// Limits of a request.
const (
	MaxText    = 512 << 10 // bytes of the source and of the files
	maxItems   = 64        // of each list
	maxFiles   = 32
	maxDevices = 2
	// maxInstructions bounds the instructions of a warp, below idgen's default: an answer is worth
	// waiting for some seconds only.
	maxInstructions = 200_000
	maxEvents       = 50_000_000 // simulated warp instructions
)

// Codes of diagnostics: about the request, and of a panic.
const (
	codeRequest = "REQUEST"
	codeDefect  = "DEFECT"
)

// refusal is an error about a field of a request.
func refusal(field string, err error) error {
	return diag.Errorf(diag.Pos{}, codeRequest, "%s: %v", field, err)
}

// check refuses what is too large before anything is done with it.
func (r *Request) check() error {
	bytes := len(r.Text)
	for name, text := range r.Files {
		bytes += len(name) + len(text)
	}
	switch {
	case bytes > MaxText:
		return diag.Errorf(diag.Pos{File: r.File}, "TOO-LARGE", "the source has %d kB; at most %d kB are read here",
			bytes>>10, MaxText>>10).
			WithNote("idgen %s | pipesim reads larger ones", r.name())
	case len(r.Files) > maxFiles, max(len(r.Defines), len(r.Args), len(r.Unroll), len(r.Rules)) > maxItems:
		return diag.Errorf(diag.Pos{}, codeRequest,
			"at most %d files, and %d macros, arguments, factors and rules are read", maxFiles, maxItems)
	case len(r.Devices) > maxDevices:
		return diag.Errorf(diag.Pos{}, codeRequest, "at most %d devices are compared", maxDevices)
	case r.Example != "" && (r.Example != exampleName || r.Builtin != "" || r.Text != "" || len(r.Devices) > 0):
		return diag.Errorf(diag.Pos{}, codeRequest,
			"the only example is %q, which has neither a source nor a choice of devices", exampleName)
	case r.Builtin != "" && r.Text != "":
		return diag.Errorf(diag.Pos{}, codeRequest, "give either a text or the name of a built-in kernel")
	}
	return nil
}

// name is the file of the source.
func (r *Request) name() string {
	if r.File == "" {
		return "kernel.cl"
	}
	return r.File
}

// source is what the request wants to be analysed.
func (r *Request) source() (*generate.Source, error) {
	if r.Builtin != "" {
		return generate.Builtin(r.Builtin, 0, r.Defines)
	}
	return generate.NewSource(r.name(), []byte(r.Text), ast.Dialect(0), r.Defines)
}

// options are those of the graph for a device.
func (r *Request) options(d *latencies.Device) (*generate.Options, error) {
	o := &generate.Options{
		FS: files(r.Files), DynamicLocal: -1, Device: d, Target: target.Target{GPU: d.Name},
		Locality: unroll.LaunchLocality, MaxInstructions: maxInstructions,
	}
	for _, s := range []struct {
		field, text string
		into        *generate.Sizes
	}{{"local", r.Local, &o.Local}, {"global", r.Global, &o.Global}, {"groups", r.Groups, &o.Groups}} {
		if s.text == "" {
			continue
		}
		var err error
		if *s.into, err = generate.ParseSizes(s.text); err != nil {
			return nil, refusal(s.field, err)
		}
	}
	if n, m := len(o.Global), len(o.Local); n > 0 && (m > 0 && n != m || len(o.Groups) > 0) {
		return nil, diag.Errorf(diag.Pos{}, codeRequest,
			"give either global, with as many dimensions as local, or groups")
	}
	for _, text := range r.Args {
		a, err := generate.ParseArgument(text)
		if err != nil {
			return nil, refusal("argument "+text, err)
		}
		o.Args = append(o.Args, a)
	}
	if r.Dynamic != nil {
		if *r.Dynamic < 0 {
			return nil, diag.Errorf(diag.Pos{}, codeRequest, "dynamic_local: %d bytes", *r.Dynamic)
		}
		o.DynamicLocal = *r.Dynamic
	}
	if r.Compiler != "" {
		var err error
		if o.Compiler, err = target.ParseCompiler(r.Compiler); err != nil {
			return nil, refusal("compiler", err)
		}
	}
	return o, nil
}

// config is how a device executes the graph.
func (r *Request) config() (c simulate.Config, err error) {
	c = simulate.Config{Groups: r.UnitGroups, Concurrent: r.Concurrent, MaxEvents: maxEvents}
	if r.Issue != "" {
		if c.Issue, err = latencies.ParseIssueMode(r.Issue); err != nil {
			return c, refusal("issue", err)
		}
	}
	if r.Scheduler != "" {
		if c.Scheduler, err = latencies.ParseScheduler(r.Scheduler); err != nil {
			return c, refusal("scheduler", err)
		}
	}
	if r.IssueLimit != "" {
		if c.IssueLimit, err = latencies.ParseCycles(r.IssueLimit); err != nil {
			return c, refusal("issue_limit", err)
		}
	}
	return c, c.Validate()
}

// mapper maps instructions to a device.
func (r *Request) mapper(d *latencies.Device) (*latencies.Mapper, error) {
	var rules []latencies.Rule
	for _, text := range r.Rules {
		rule, err := latencies.ParseRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule)
	}
	return latencies.NewMapper(d, rules)
}

// devices are those to predict for.
func (r *Request) devices() ([]*latencies.Device, error) {
	if r.Example != "" {
		d, err := exampleDevice()
		return []*latencies.Device{d}, err
	}
	names := r.Devices
	if len(names) == 0 {
		names = []string{latencies.Default}
	}
	var list []*latencies.Device
	for _, name := range names {
		d, err := latencies.Builtin(name)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}
