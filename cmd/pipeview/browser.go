package main

import (
	"os"
	"os/exec"
	"runtime"
)

// startBrowser opens an address in the user's browser, where there is one: the address is printed in any case.
func startBrowser(address string) {
	command := []string{"xdg-open", address}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", address}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
	}
	cmd := exec.Command(command[0], command[1:]...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // its status says nothing about the page
	}
}
