package metamorphic

import "fmt"

// compiled is the code that the compiler makes.
func compiled(k *prepared) (*code, error) {
	c, err := k.program.Compile(k.fn)
	if err != nil {
		return nil, err
	}
	r := &c.Resources
	return &code{
		registers: fmt.Sprintf("%d, %d bytes spilled", r.Registers, r.SpillBytes),
		arrays:    fmt.Sprintf("%d bytes", r.PrivateBytes-r.SpillBytes),
		bodies:    map[string]string{"the kernel": c.String()},
	}, nil
}
