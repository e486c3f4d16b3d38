// Package test is the room of what only tests use: random kernels, an interpreter of the IR, golden files, a browser.
// Nothing else imports its packages.
package test
