package console

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the line that --version prints: the command, the version of its
// module, the revision it was built from where that is known, and Go's.
func (c *Console) Version() string {
	version, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" {
			version = v
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("%s %s%s %s", c.Name, version, revision, runtime.Version())
}
