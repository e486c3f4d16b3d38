package main

import _ "embed"

// treated is the table of every system, method and experiment of the sources: the command that shows it here and what
// that prints, unless a section has them, and what came of it. .ci/readme runs the commands.
//
//go:embed systems.txt
var treated string
