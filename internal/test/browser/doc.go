// Package browser drives headless Chromium (Debian's package) in tests of pages: it opens them, collects what
// they log and ask for, acts as a person would, and checks what anyone must be able to read and reach. For tests.
package browser
