package pack

import (
	"bytes"
	"fmt"
	"testing"

	"casebook/engine/evidence"
)

// BenchmarkVerify measures a bag of many small files and one with a large file.
func BenchmarkVerify(b *testing.B) {
	small := make([]evidence.File, 5000)
	for i := range small {
		small[i] = evidence.File{Path: fmt.Sprintf("data/recordings/s%03d/a%04d/t01.json", i/100, i%100+1), Data: bytes.Repeat([]byte("{}"), 500)}
	}
	large := []evidence.File{{Path: "data/files/f0001.bin", Data: make([]byte, 64<<20)}}
	for _, bm := range []struct {
		name    string
		payload []evidence.File
	}{{"5000 files", small}, {"64 MiB file", large}} {
		tags, id, err := TagFiles(bm.payload, demoInfo())
		if err != nil {
			b.Fatal(err)
		}
		target := FolderTarget("demo-01", NewMemory(append(tags, bm.payload...)))
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bm.payload) * len(bm.payload[0].Data)))
			for b.Loop() {
				if r := Verify(target, Options{PackID: id, Strict: true}); r.Exit() != 0 {
					b.Fatal(r.Summary())
				}
			}
		})
	}
}
