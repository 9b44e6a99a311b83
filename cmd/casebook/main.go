// Casebook turns questions into evidence packs that anyone can check.
//
// A case is a folder cases/<id>/ with a case.yaml. For each case casebook runs its steps, keeps every attempt as it
// was recorded, derives observations and results, freezes all of it as a redacted BagIt bag under packs/, and renders
// pages under site/ that open from the disk.
//
//	casebook init            a new project with a sample case
//	casebook build           every case to packs and site
//	casebook check           rebuild and compare with the committed case.sum files
//	casebook verify PACK     a pack's bytes, with nothing but the pack
//
// The result of a command goes to stdout, progress and errors to stderr. Exit codes: 0 done; 1 a check failed or
// things differ; 2 usage or bad input; 3 a key or the network is needed; 4 internal fault.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"casebook/engine"
	"casebook/engine/durable"
	"casebook/engine/freeze"
	"casebook/engine/redact"
)

// Exit codes, the same for every verb.
const (
	exitDone     = 0
	exitDiffers  = 1
	exitInput    = 2
	exitNetwork  = 3
	exitInternal = 4
)

func main() {
	e := systemEnv()
	if e.getenv("GOGC") == "" {
		// A build makes much short-lived text and keeps little: fewer collections take a fifth off its time and leave its
		// memory far below the limit.
		debug.SetGCPercent(1000)
	}
	os.Exit(run(e, os.Args[1:]))
}

// run executes one command line and returns its exit code.
func run(e *env, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot(e)
	root.SetArgs(args)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	return report(e.stderr, root.ExecuteContext(ctx))
}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:           "casebook",
		Short:         "evidence packs that anyone can check",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          usage(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVarP(&e.root, "root", "C", "", "project folder (default: the nearest one upward with casebook.yaml or cases/)")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &inputError{err: err} })
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		newBuild(e), newCheck(e), newCompletion(e), newDoctor(e), newFreeze(e), newInit(e), newMan(e), newNew(e),
		newPlan(e), newRender(e), newRun(e), newValidate(e), newVerify(e), newVersion(e),
	)
	return root
}

// inputError is bad usage or bad input; hint says what to do.
type inputError struct {
	err  error
	hint string
}

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// differsError ends a command whose report has said on stdout what failed.
type differsError struct{ text string }

func (e *differsError) Error() string { return e.text }

// report prints an error in the form that every verb has and returns the exit code it stands for.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	var many *manyError
	if errors.As(err, &many) {
		code := exitDone
		for _, one := range many.errs {
			code = max(code, report(stderr, one))
		}
		return code
	}
	var faults *faultsError
	if errors.As(err, &faults) {
		for _, f := range faults.lines {
			fmt.Fprintln(stderr, f)
		}
	}
	fmt.Fprintf(stderr, "casebook: %v\n", err)
	var input *inputError
	if errors.As(err, &input) && input.hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", input.hint)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var differs *differsError
	switch {
	case errors.As(err, &differs):
		return exitDiffers
	case errors.Is(err, engine.ErrNeedsRecording):
		return exitNetwork
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EIO):
		return exitInternal
	case isInput(err):
		return exitInput
	}
	return exitInternal
}

// isInput says whether an error is of what the user gave: files, folders, usage, or evidence that may not be published.
func isInput(err error) bool {
	var (
		input  *inputError
		faults *faultsError
		path   *fs.PathError
		link   *os.LinkError
		leak   *redact.FindingsError
		late   *freeze.LateError
	)
	return errors.As(err, &input) || errors.As(err, &faults) || errors.As(err, &path) || errors.As(err, &link) ||
		errors.As(err, &leak) || errors.As(err, &late) || errors.Is(err, durable.ErrLocked)
}
