package machine

// Schedule orders the instructions of each block.
func Schedule(c *Code) {}
