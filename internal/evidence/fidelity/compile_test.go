package fidelity

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// libclc is clang 14's OpenCL library for PTX as Debian's package libclc-14
// installs it.
const libclc = "/usr/lib/clc/nvptx64--nvidiacl.bc"

// missingClang says which part of the compiler that the tables were made with is
// missing.
func missingClang() error {
	out, err := exec.Command("clang", "-dumpversion").Output()
	if err != nil {
		return errors.New("clang is not installed (Debian: clang, libclang-common-14-dev, libclc-14)")
	}
	if v := strings.TrimSpace(string(out)); !strings.HasPrefix(v, "14.") {
		return fmt.Errorf("the tables are clang 14's, this is clang %s", v)
	}
	if _, err := os.Stat(libclc); err != nil {
		return fmt.Errorf("%s is not installed (Debian: libclc-14)", libclc)
	}
	return nil
}
