package frontend

import (
	"errors"
	"fmt"
	"strings"

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
	return errors.Join(errs...)
}

// Parse reads a source file and types it. A kernel with an error does not keep
// the others from being used: it is listed in Unit.Broken. If no kernel is
// usable, the error, a diag.List, holds what was wrong with all of them.
func Parse(cfg Config) (*Unit, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	p, err := parse(&cfg)
	if err != nil {
		var one *diag.Error
		if errors.As(err, &one) {
			return nil, diag.List{one}
		}
		return nil, err
	}
	return check(&cfg, p)
}
