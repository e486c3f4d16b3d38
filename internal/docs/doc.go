// Package docs checks the pages that people read: README.md, docs, CONTRIBUTING.md and the
// RATIONALE.md of each package. Links and anchors lead somewhere, pages are reachable, generated
// pages name their command, and the written ones stay short. It consists of tests only.
package docs
