package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// env is everything that a command takes from outside; nothing else in the program reads it.
type env struct {
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
	getenv   func(string) string
	now      func() time.Time
	root     string // the project, from --root or found upward
	terminal bool   // whether stderr is a terminal
	jobs     int
}

func systemEnv() *env {
	return &env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, now: time.Now,
		terminal: term.IsTerminal(int(os.Stderr.Fd())), jobs: runtime.GOMAXPROCS(0),
	}
}

// printf writes to stdout, the place of results.
func (e *env) printf(format string, args ...any) { fmt.Fprintf(e.stdout, format, args...) }

// notef writes to stderr, the place of progress.
func (e *env) notef(format string, args ...any) { fmt.Fprintf(e.stderr, format, args...) }

// project finds the project's folder: the one that --root names, else the nearest upward with casebook.yaml or cases.
func (e *env) project() (string, error) {
	if e.root != "" {
		info, err := os.Stat(e.root)
		if err != nil {
			return "", &inputError{err: err}
		}
		if !info.IsDir() {
			return "", &inputError{err: fmt.Errorf("%s: is no folder", e.root)}
		}
		return e.root, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if isProject(dir) {
			return relativeTo(here, dir), nil
		}
		if dir == filepath.Dir(dir) {
			return "", &inputError{
				err:  errors.New("no project here: neither this folder nor one above it has casebook.yaml or cases/"),
				hint: "make one with: casebook init",
			}
		}
	}
}

func isProject(dir string) bool {
	for _, name := range []string{"casebook.yaml", "cases"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// relativeTo keeps messages short and free of the machine's paths where that is possible.
func relativeTo(here, dir string) string {
	if relative, err := filepath.Rel(here, dir); err == nil {
		return relative
	}
	return dir
}

// faultsError carries every fault that was found in the input, one a line.
type faultsError struct{ lines []string }

func (e *faultsError) Error() string {
	if len(e.lines) == 1 {
		return "1 fault"
	}
	return fmt.Sprintf("%d faults", len(e.lines))
}

// faultsOf makes an error of faults, nil of none.
func faultsOf[T fmt.Stringer](faults []T) error {
	if len(faults) == 0 {
		return nil
	}
	e := &faultsError{}
	for _, f := range faults {
		e.lines = append(e.lines, f.String())
	}
	return e
}

// usage makes what cobra says of a wrong number of arguments an input error.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &inputError{err: err, hint: "see: " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}
