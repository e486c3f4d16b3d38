package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// compilation is one entry of a compilation database (compile_commands.json of
// clang's tools): how a build compiles one file.
type compilation struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`   // a shell's, or
	Arguments []string `json:"arguments"` // its words
}

// compileFlags is what a build passes to the preprocessor for one file.
type compileFlags struct {
	Defines  []string `json:"defines,omitempty"`
	Includes []string `json:"includes,omitempty"` // absolute
}

// readDatabase reads a compilation database: the kernel files that it compiles and the flags of
// each, by path. Of a file that it compiles several times, the first time counts.
func readDatabase(path string) (files []string, flags map[string]compileFlags, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var list []compilation
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	flags = map[string]compileFlags{}
	for _, c := range list {
		file := c.path(c.File)
		if _, twice := flags[file]; twice || !isSource(file) {
			continue
		}
		files = append(files, file)
		flags[file] = c.flags()
	}
	return files, flags, nil
}

// path is a path of the command, relative to where it runs.
func (c *compilation) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(c.Directory, p)
}

// flags finds the macros and include paths of the command.
func (c *compilation) flags() (f compileFlags) {
	words := c.Arguments
	if len(words) == 0 {
		words = shellWords(c.Command)
	}
	for i := 0; i < len(words); i++ {
		for _, option := range []string{"-isystem", "-D", "-I"} {
			value, ok := strings.CutPrefix(words[i], option)
			if !ok {
				continue
			}
			if value == "" && i+1 < len(words) {
				i++
				value = words[i]
			}
			if option == "-D" {
				f.Defines = append(f.Defines, value)
			} else {
				f.Includes = append(f.Includes, c.path(value))
			}
			break
		}
	}
	return f
}

// shellWords cuts a command into words as a shell does, as far as quotes and
// backslashes go.
func shellWords(command string) (words []string) {
	var word strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case quote != '\'' && c == '\\' && i+1 < len(command):
			i++
			word.WriteByte(command[i])
			open = true
		case c == quote && quote != 0:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}
