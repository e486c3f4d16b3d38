package frontend

import "gpupipe/frontend/resolve"

// Config says what to parse. File, Text and Dialect are required.
type Config = resolve.Config

// Parse is [resolve.Parse].
func Parse(cfg Config) (*Unit, error) { return resolve.Parse(cfg) }
