package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// measure works on files with a number of child processes. The results are in
// the order of the files.
func measure(o *options, files []string, stderr io.Writer) ([]result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	perFile := make([][]result, len(files))
	errs := make([]error, o.jobs)
	next := make(chan int)
	bar := newProgress(stderr, len(files))
	var wg sync.WaitGroup
	for w := range o.jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := child{o: o, self: self}
			defer c.stop()
			for i := range next {
				if errs[w] == nil {
					perFile[i], errs[w] = c.file(files[i])
				}
				bar.step()
			}
		}()
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	bar.end()
	var all []result
	for _, r := range perFile {
		all = append(all, r...)
	}
	return all, errors.Join(errs...)
}

// child is one child process, started when there is work for it.
type child struct {
	o      *options
	self   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	events chan event // closed when the process ends
	stderr bytes.Buffer
}

func (c *child) start() error {
	cmd := exec.Command(c.self, c.o.workerArgs()...)
	c.stderr.Reset()
	cmd.Stderr = &c.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	events := make(chan event)
	go func() {
		defer close(events)
		for d := json.NewDecoder(out); ; {
			var e event
			if d.Decode(&e) != nil {
				return
			}
			events <- e
		}
	}()
	c.cmd, c.in, c.events = cmd, in, events
	return nil
}

// stop ends the process, if there is one, and returns how it ended.
func (c *child) stop() error {
	if c.cmd == nil {
		return nil
	}
	cmd := c.cmd
	c.cmd = nil
	c.in.Close()
	_ = cmd.Process.Kill() // it may have ended by itself
	for range c.events {   // lets the reader come to the end
	}
	return cmd.Wait()
}

// file works on one file, in a new process after each one that was lost.
func (c *child) file(path string) (results []result, err error) {
	done := 0 // usable kernels dealt with
	for {
		if c.cmd == nil {
			if err := c.start(); err != nil {
				return nil, err
			}
		}
		lost, rs, err := c.attempt(job{path, done, c.o.flags[path]})
		results = append(results, rs...)
		for _, r := range rs {
			if r.Stage != "parse" {
				done++
			}
		}
		if err != nil || lost == nil {
			return results, err
		}
		results = append(results, *lost)
		if lost.Stage == "parse" {
			return results, nil
		}
		done++
	}
}

// attempt sends a job to the process. lost is the kernel that the process did
// not survive.
func (c *child) attempt(j job) (lost *result, results []result, err error) {
	if err := json.NewEncoder(c.in).Encode(j); err != nil {
		return nil, nil, err
	}
	current := result{File: j.File, Kernel: "?", Stage: "parse"}
	for e := range c.events {
		switch e.Kind {
		case startEvent:
			current = e.Result
			current.Stage = "execute"
		case resultEvent:
			results = append(results, e.Result)
		case endEvent:
			return nil, results, nil
		}
	}
	current.Reason = c.cause(c.stop())
	return &current, results, nil
}

// cause says why a process ended.
func (c *child) cause(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		switch exit.ExitCode() {
		case exitMemory:
			return fmt.Sprintf("memory limit: more than %d MiB", c.o.memory)
		case exitTime:
			return fmt.Sprintf("time limit: more than %v", c.o.timeout)
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(c.stderr.String()), "\n")
	return fmt.Sprintf("crash: %v %s", err, first)
}
