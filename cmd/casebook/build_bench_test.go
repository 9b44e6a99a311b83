package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// corpusSize is the size of the benchmark's project: cases, and documents and so observations of each.
const (
	corpusCases = 1000
	corpusDocs  = 20
)

// BenchmarkBuild1000 builds a generated project of 1,000 cases with 20 observations each, from nothing, without a
// change, and after an edit of one case. It reports wall time and the largest resident memory of the whole process.
func BenchmarkBuild1000(b *testing.B) {
	casebook := program(b)
	dir := b.TempDir()
	for i := range corpusCases {
		writeCase(b, filepath.Join(dir, casesFolder, fmt.Sprintf("case-%04d", i)), corpusDocs, "early")
	}
	edit := 0
	for _, run := range []struct {
		name    string
		prepare func()
	}{
		{"full", func() {
			for _, folder := range []string{packsFolder, siteFolder, privateFolder} {
				if out, err := exec.Command("rm", "-rf", filepath.Join(dir, folder)).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		}},
		{"unchanged", func() {}},
		{"one edited", func() {
			edit++
			writeCase(b, filepath.Join(dir, casesFolder, "case-0500"), corpusDocs, fmt.Sprint("edit ", edit))
		}},
	} {
		b.Run(run.name, func(b *testing.B) {
			var peak int64
			for b.Loop() {
				b.StopTimer()
				run.prepare()
				b.StartTimer()
				cmd := exec.Command(casebook, "--root", dir, "build")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
					peak = max(peak, usage.Maxrss)
				}
			}
			b.ReportMetric(float64(peak)/1024, "MiB-peak")
		})
	}
}

// BenchmarkStart is what every command costs before it does anything.
func BenchmarkStart(b *testing.B) {
	casebook := program(b)
	for b.Loop() {
		if out, err := exec.Command(casebook, "version").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}
