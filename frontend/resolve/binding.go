package resolve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/source"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// codeTemplate marks what is said about template arguments.
const codeTemplate = "TEMPLATE"

// readBindings takes Config.Templates apart and parses the values.
func (c *checker) readBindings() error {
	for _, text := range c.cfg.Templates {
		b, err := source.ParseBinding(text)
		if err != nil {
			return fmt.Errorf("frontend: %w", err)
		}
		c.bindings = append(c.bindings, b)
	}
	return nil
}

// boundValue is the argument that a value of a binding is for a parameter.
func (c *checker) boundValue(value string, b *source.Binding) (syntax.TemplateArg, error) {
	name := "--template " + b.Text
	r := preprocess.Run(preprocess.Config{File: name, Text: "<" + value + ">\n", Defines: c.cfg.Defines,
		Undefs: c.cfg.Undefs})
	if err := r.Errors.Err(); err != nil {
		return syntax.TemplateArg{}, err
	}
	args, err := syntax.TemplateArguments(r.Tokens, syntax.Options{Language: syntax.CUDA, IsType: c.isLanguageType})
	if err != nil {
		return syntax.TemplateArg{}, err
	}
	if len(args) != 1 {
		return syntax.TemplateArg{}, diag.Errorf(diag.Pos{File: name}, codeTemplate, "%s is not one argument", value)
	}
	return args[0], nil
}

// isLanguageType reports whether a name is a type of the language itself.
func (c *checker) isLanguageType(name string) bool {
	sym := c.file.names[name]
	return sym != nil && sym.builtin && sym.kind == symType
}

// bindingsOf are the values that bindings give to a kernel template: of each binding that names it, with those of all
// kernels behind; else of all kernels, where they concern it.
func (c *checker) bindingsOf(f *function) (list []source.Binding) {
	general := source.Binding{Values: map[string]string{}}
	for _, b := range c.bindings {
		if b.Kernel == "" {
			maps.Copy(general.Values, b.Values)
			general.Text = b.Text
		}
	}
	for _, b := range c.bindings {
		if b.Kernel != f.name {
			continue
		}
		values := maps.Clone(general.Values)
		maps.Copy(values, b.Values)
		list = append(list, source.Binding{Text: b.Text, Kernel: b.Kernel, Values: values})
	}
	concerns := slices.ContainsFunc(f.params.list, func(p *syntax.TemplateParam) bool {
		_, ok := general.Values[p.Ident]
		return ok
	})
	if len(list) == 0 && concerns {
		list = append(list, general)
	}
	return list
}

// uselessBindings warns of arguments for parameters that no template of a kernel in the file has. Whoever varies
// a parameter would take the same result of all its values for a finding.
func (c *checker) uselessBindings() {
	params := map[string][]string{} // by kernel, and of all kernels where the name is empty
	for _, f := range c.kernelsOfTemplates() {
		for _, p := range f.params.list {
			params[f.name] = append(params[f.name], p.Ident)
			params[""] = append(params[""], p.Ident)
		}
	}
	for _, b := range c.bindings {
		known := params[b.Kernel]
		for _, name := range slices.Sorted(maps.Keys(b.Values)) {
			if slices.Contains(known, name) {
				continue
			}
			w := diag.Warningf(diag.Pos{File: c.cfg.File}, codeTemplate,
				"--template %s: no kernel template has a parameter %s", b.Text, name)
			switch {
			case len(params) == 0:
				w = w.WithNote("the source has no kernel template; a macro is given with -D")
			case known == nil:
				names := maps.Clone(params)
				delete(names, "")
				w = w.WithNote("%s is not a kernel template of the source, which has %s", b.Kernel,
					strings.Join(slices.Sorted(maps.Keys(names)), ", "))
			default:
				w = w.WithNote("the parameters are %s",
					strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", "))
			}
			c.unit.Warnings.Add(w)
		}
	}
}

// kernelsOfTemplates are the templates of kernels with their definition.
func (c *checker) kernelsOfTemplates() (list []*function) {
	for _, f := range c.funcs {
		if f.isKernel && f.params != nil && f.body != nil && f.tmpl == nil && f.class == nil {
			list = append(list, f)
		}
	}
	return list
}
