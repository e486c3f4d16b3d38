package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/resolve"
	"gpupipe/frontend/source"
)

// Config says what to parse. File, Text and Dialect are required.
type Config = source.Config

// Parse is [resolve.Parse].
func Parse(cfg Config) (*ast.Unit, error) { return resolve.Parse(cfg) }

// Preprocessed is what the preprocessor leaves of a program.
type Preprocessed = source.Preprocessed

// Preprocess is [source.Preprocess].
func Preprocess(cfg Config) (*Preprocessed, error) { return source.Preprocess(cfg) }
