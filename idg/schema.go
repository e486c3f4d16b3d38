package idg

import _ "embed"

// Schema is the JSON Schema (2020-12) of the documents that Encode writes and
// Decode reads. It must not be modified.
//
//go:embed schema/idg-v1.schema.json
var Schema []byte
