//go:build race

package race

// Enabled says that the detector is at work.
const Enabled = true
