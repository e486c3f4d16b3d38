package frontend

import (
	"errors"
	"fmt"
	"strings"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// Validate reports what is wrong with a configuration.
func (cfg *Config) Validate() error {
	var errs []error
	if cfg.File == "" {
		errs = append(errs, errors.New("frontend: Config.File is empty"))
	}
	if cfg.Dialect != OpenCL && cfg.Dialect != CUDA {
		errs = append(errs, fmt.Errorf("frontend: Config.Dialect is %v", cfg.Dialect))
	}
	for _, d := range append(append([]string(nil), cfg.Defines...), cfg.Undefs...) {
		if d == "" || strings.HasPrefix(d, "=") {
			errs = append(errs, fmt.Errorf("frontend: macro definition %q has no name", d))
		}
	}
	for _, t := range cfg.Templates {
		if _, err := cxx.ParseBinding(t); err != nil {
			errs = append(errs, fmt.Errorf("frontend: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Parse reads a source file and types it. A kernel with an error does not keep
// the others from being used: it is listed in Unit.Broken. If no kernel is
// usable, the error, a diag.List, holds what was wrong with all of them. A
// defect of this package that a source brings out is an error too, which asks for a report.
func Parse(cfg Config) (unit *Unit, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	defer func() {
		if x := recover(); x != nil {
			e := diag.Errorf(Pos{File: cfg.File}, codeInternal, "the source cannot be read: %v", x)
			unit, err = nil, diag.List{e.WithNote("this is a defect of the frontend; please report it with the source")}
		}
	}()
	unit, l, err := parseAssuming(&cfg)
	if err == nil {
		addHostLaunches(unit, l, &cfg)
	}
	return unit, err
}

// parseRounds parses a file, with int for the parameters of kernel templates that integer
// names. The template arguments are nil where the file cannot be read.
func parseRounds(cfg *Config, integer map[string]int) (*Unit, *loader, *cxx.Instances, error) {
	inst := cxx.NewInstances()
	inst.Assumed.Integer = integer
	read := 0 // tokens of all rounds, which are bounded together
	for round := 1; ; round++ {
		p, err := parseWith(cfg, inst)
		if err != nil {
			var one *diag.Error
			if errors.As(err, &one) {
				return nil, nil, nil, diag.List{one}
			}
			return nil, nil, nil, err
		}
		before := inst.Count
		u, err := check(cfg, p)
		read += p.l.Tokens
		if inst.Count == before || round == cxx.MaxRounds || read > tokens.MaxTokens/4 {
			return u, p.l, inst, err
		}
		// Typing has deduced template arguments: their copies are written now.
	}
}
