package main

import (
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/frontend/ast"
	"gpupipe/frontend/crosscheck"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"

	"github.com/spf13/cobra"
)

// newCheck makes the command that reads a file with a second parser.
func newCheck(c *console.Console) *cobra.Command {
	o := &options{Options: generate.Options{DynamicLocal: -1, FS: source.Files{}, Strict: true}}
	cmd := &cobra.Command{
		Use:   "check [flags] FILE|-",
		Short: "Compare how two parsers read a file",
		Long: `Gives the preprocessed source, OpenCL C, to a second parser, modernc.org/cc, and
compares with idgen's own reading: functions, parameters and types, statements
and expressions, pragmas of loops, and the values of array sizes, enumerators,
case labels and #if. A difference is an error with both readings. What cc cannot
read is an error, too. With --strict every run of idgen does the same.`,
		Example: `  idgen check kernel.cl
  idgen check -D BLOCK_SIZE=8 -I include kernel.cl`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input, o.IncludeDirs = args[0], source.Slashed(o.IncludeDirs)
			return check(c, o)
		},
	}
	console.Section(cmd, "Source", o.defineText)
	return cmd
}

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return console.UsageOf(cmd, "one source file is read, not %d", len(args))
	}
	return nil
}

// check says how much two parsers read alike.
func check(c *console.Console, o *options) error {
	src, err := openSource(c, o)
	if err != nil {
		return err
	}
	c.AddSource(src.File, src.Text)
	p, err := generate.Parse(src, &o.Options)
	if err != nil {
		return err
	}
	r := crosscheck.Check(p.Unit, p.Reading)
	if err := r.Differences.Err(); err != nil {
		return err
	}
	if r.Unreadable != nil {
		e := *r.Unreadable
		e.Severity = diag.SeverityError
		if e.Pos.File == "" {
			e.Pos.File = src.File
		}
		return &e
	}
	return c.Emit("", func(w io.Writer) error {
		_, err := fmt.Fprintf(w,
			"%s: both parsers read the same: %d functions, %d lines, %d constants, %d conditions\n", src.File,
			r.Functions, r.Lines, r.Constants, r.Conditions)
		return err
	})
}

// checkStrictly is check for a run that writes a graph: what cc cannot read is told only.
func checkStrictly(c *console.Console, o *options, p *generate.Program) error {
	if !o.Strict || p.Source.Dialect != ast.OpenCL {
		return nil
	}
	r := crosscheck.Check(p.Unit, p.Reading)
	p.Reading = nil // which takes memory
	if r.Unreadable != nil {
		c.Report(append(r.Differences, r.Unreadable))
	}
	return r.Differences.Err()
}
