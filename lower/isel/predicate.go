package isel

// predicate makes short branches instructions under conditions.
func predicate(c *Code) {}
