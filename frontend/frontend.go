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

// Reading is [resolve.Reading].
type Reading = resolve.Reading

// Read is [resolve.Read].
func Read(cfg Config) (*ast.Unit, *Reading, error) { return resolve.Read(cfg) }

// Preprocessed is what the preprocessor leaves of a program.
type Preprocessed = source.Preprocessed

// Preprocess is [source.Preprocess].
func Preprocess(cfg Config) (*Preprocessed, error) { return source.Preprocess(cfg) }
