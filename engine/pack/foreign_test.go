package pack

import (
	"archive/tar"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"casebook/engine/evidence"
)

// foreignBag is a bag of another maker: paths as the manifest writes them, with the bytes of each file.
func foreignBag(files map[string]string) *bag {
	b := &bag{name: "Their Bag", files: fstest.MapFS{}}
	b.put(BagItFile, bagItText)
	var manifest strings.Builder
	for path, data := range files {
		fmt.Fprintf(&manifest, "%s %s\n", strings.ToUpper(string(evidence.FileDigest([]byte(data)))), path)
		b.put(path, data)
	}
	b.put(ManifestFile, manifest.String())
	return b
}

func (b *bag) rename(old, new string) *bag {
	b.files[new] = b.files[old]
	delete(b.files, old)
	return b
}

func TestVerifyForeignBags(t *testing.T) {
	sum := func(data string) string { return string(evidence.FileDigest([]byte(data))) }
	wide := func(data string) string {
		h := sha512.Sum512([]byte(data))
		return hex.EncodeToString(h[:])
	}
	for _, tt := range []struct {
		name string
		bag  func() *bag
		exit int
		want []string
	}{
		{"plain", func() *bag { return foreignBag(map[string]string{"data/Some File.TXT": "x", "data/é": "y"}) }, 0, nil},
		{"percent sign encoded", func() *bag {
			return foreignBag(map[string]string{"data/100%25.txt": "x"}).rename("data/100%25.txt", "data/100%.txt")
		}, 0, nil},
		{"percent sign not encoded", func() *bag { return foreignBag(map[string]string{"data/100%.txt": "x"}) }, 0,
			[]string{"B05 warning data/100%.txt: path-encoding: a percent sign that manifest-sha256.txt does not write as %25"}},
		{"percent sign not decoded", func() *bag { return foreignBag(map[string]string{"data/100%25.txt": "x"}) }, 0,
			[]string{"B05 warning data/100%25.txt: path-encoding: the file bears its name as manifest-sha256.txt writes it, percent signs not decoded"}},
		{"line break in a name", func() *bag { return foreignBag(map[string]string{"data/a%0Ab": "x"}).rename("data/a%0Ab", "data/a\nb") }, 1,
			[]string{`B05 failed data/a%0Ab: path "data/a\nb": control character U+000A`}},
		{"parent folder", func() *bag { return foreignBag(map[string]string{"data/../x": "x", "data/a": ""}).remove("data/../x") }, 1,
			[]string{`B05 failed data/../x: path "data/../x": segment ".."`, "B06 failed data/../x: listed in manifest-sha256.txt, but not there"}},
		{"another normal form", func() *bag {
			return foreignBag(map[string]string{"data/\u00e9": "x"}).rename("data/\u00e9", "data/e\u0301")
		}, 0,
			[]string{"B05 warning data/\u00e9: path-normalisation: found under another Unicode normal form of its name"}},
		{"differ by case", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("data/A", "x")
			b.put(ManifestFile, b.text(ManifestFile)+sum("x")+"  data/A\n")
			return b
		}, 1, []string{"B05 failed data/A: path-collision: differs from data/a only by case or Unicode form"}},
		{"differ by normal form", func() *bag {
			b := foreignBag(map[string]string{"data/\u00e9": "x"})
			b.put("data/e\u0301", "x")
			b.put(ManifestFile, b.text(ManifestFile)+sum("x")+"  data/e\u0301\n")
			return b
		}, 1, []string{"B05 failed data/e\u0301: path-collision: differs from data/\u00e9 only by case or Unicode form"}},
		{"missing", func() *bag { return foreignBag(map[string]string{"data/a": "x", "data/b": ""}).remove("data/a") }, 1,
			[]string{"B06 failed data/a: listed in manifest-sha256.txt, but not there"}},
		{"unlisted", func() *bag { b := foreignBag(map[string]string{"data/a": "x"}); b.put("data/b", ""); return b }, 1,
			[]string{"B07 failed data/b: unlisted file: added after freezing; the listed files are intact"}},
		{"altered", func() *bag { b := foreignBag(map[string]string{"data/a": "x"}); b.put("data/a", "y"); return b }, 1,
			[]string{"B10 failed data/a: other bytes than listed: how can't be told"}},
		{"other tag files", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("about/readme.TXT", "x")
			return b
		}, 0, nil},
		{"an older version", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.edit(BagItFile, "1.0", "0.97")
			return b
		}, 0,
			[]string{`B03 warning bagit.txt: BagIt version "0.97", checked as 1.0`}},
		{"another encoding", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.edit(BagItFile, "UTF-8", "UTF-16")
			return b
		}, 1,
			[]string{`B03 failed bagit.txt: encoding "UTF-16": only UTF-8 is read`}},
		{"CRLF", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put(ManifestFile, crlf(b.text(ManifestFile)))
			return b
		}, 0,
			[]string{"B04 warning manifest-sha256.txt: line 1: a carriage return (CR); only LF ends a line"}},
		{"folded label", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put(BagInfoFile, "Source-Organization: a\n  b\nPayload-Oxum: 1.1\nContact-Name:c\n")
			return b
		}, 0, nil},
		{"wrong oxum", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put(BagInfoFile, "Payload-Oxum: 2.1\n")
			return b
		}, 1,
			[]string{"B12 failed bag-info.txt: Payload-Oxum is 2.1, the listed files are 1.1"}},
		{"fetch.txt", func() *bag { b := foreignBag(map[string]string{"data/a": "x"}); b.put(fetchFile, "x"); return b }, 0,
			[]string{"B09 warning fetch.txt: the bag names files to be fetched; what is not there is missing"}},
		{"CRLF in bagit.txt", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put(BagItFile, crlf(bagItText))
			return b
		}, 0,
			[]string{"B03 warning bagit.txt: line 1: a carriage return (CR); only LF ends a line", "B03 warning bagit.txt: line 2: a carriage return (CR); only LF ends a line"}},
		{"unknown algorithm beside", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("manifest-md5.txt", "x")
			return b
		}, 1,
			[]string{"B04 not checked manifest-md5.txt: the algorithm md5 is not known to this version; its sums were not compared"}},
		{"no oxum", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put(BagInfoFile, "Contact-Name: c\n")
			return b
		}, 0, nil},
		{"unknown algorithm alone", func() *bag {
			return foreignBag(map[string]string{"data/a": "x"}).rename(ManifestFile, "manifest-md5.txt")
		}, 1,
			[]string{"B04 not checked manifest-md5.txt: the algorithm md5 is not known to this version; its sums were not compared",
				"B07 failed data/a: unlisted file: added after freezing"}},
		{"SHA-512 beside", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("manifest-sha512.txt", wide("x")+"  data/a\n")
			b.put("tagmanifest-sha512.txt", wide(bagItText)+"  bagit.txt\n")
			return b
		}, 0, nil},
		{"SHA-512 alone, wrong", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"}).remove(ManifestFile)
			b.put("manifest-sha512.txt", wide("y")+"  data/a\n")
			return b
		}, 1, []string{"B10 failed data/a: other bytes than listed: how can't be told"}},
		{"SHA-512 wrong beside", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("manifest-sha512.txt", wide("y")+"  data/a\n")
			return b
		}, 1, []string{"B10 failed data/a: other bytes than listed: not by SHA-256, but by another algorithm"}},
		{"manifests that differ", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x", "data/b": "y"})
			b.put("manifest-sha512.txt", wide("x")+"  data/a\n")
			return b
		}, 1, []string{"B04 failed manifest-sha512.txt: lists other files than manifest-sha256.txt"}},
		{"warned once for two manifests", func() *bag {
			b := foreignBag(map[string]string{"data/%": "x"})
			b.put("manifest-sha512.txt", wide("x")+"  data/%\n")
			return b
		}, 0, []string{"B05 warning data/%: path-encoding: a percent sign that manifest-sha256.txt does not write as %25"}},
		{"tag file altered", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("about%25.txt", "x")
			b.rename("about%25.txt", "about%.txt")
			b.put(TagManifestFile, sum("y")+"  about%25.txt\n"+sum("z")+"  gone.txt\n")
			return b
		}, 1, []string{"B11 failed about%.txt: other bytes than listed in tagmanifest-sha256.txt", "B11 failed gone.txt: listed in tagmanifest-sha256.txt, but not there"}},
		{"tag file with a percent sign", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("100%.txt", "y")
			b.put(TagManifestFile, sum("y")+"  100%.txt\n")
			return b
		}, 0, []string{"B05 warning 100%.txt: path-encoding: a percent sign that tagmanifest-sha256.txt does not write as %25"}},
		{"tag file in order", func() *bag {
			b := foreignBag(map[string]string{"data/a": "x"})
			b.put("about.txt", "y")
			b.put(TagManifestFile, sum("y")+"  about.txt\n")
			return b
		}, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkFaults(t, tt.bag().verify(Options{BagOnly: true}), tt.exit, tt.want...)
		})
	}
}

func (b *bag) remove(path string) *bag {
	delete(b.files, path)
	return b
}

// TestVerifyForeignWithoutAsking: another maker's bag isn't measured by our rules in silence.
func TestVerifyForeignWithoutAsking(t *testing.T) {
	r := foreignBag(map[string]string{"data/a": "x"}).verify(Options{})
	if got := faults(r); r.Exit() != 1 || !slices.ContainsFunc(got, func(s string) bool {
		return strings.HasPrefix(s, "B13 failed bag-info.txt: no Casebook-Pack-Format label")
	}) {
		t.Errorf("exit %d, %q", r.Exit(), got)
	}
}

// TestVerifyOwnPackAsBag: the wider rules are for others; a pack of casebook's keeps its own.
func TestVerifyOwnPackAsBag(t *testing.T) {
	b := goodBag(t)
	b.put("notes.txt", "x")
	checkFaults(t, b.verify(Options{BagOnly: true}), 1, "B08 failed notes.txt: unlisted file: added after freezing; the listed files are intact")
}

func TestVerifyForeignID(t *testing.T) {
	b := foreignBag(map[string]string{"data/a": "x"})
	r := b.verify(Options{BagOnly: true})
	if r.PackID != nil || r.PackFormat != nil || r.Checks[12].Reason != "a bag of another maker, checked by BagIt's rules alone" ||
		r.Checks[13].Reason != "no tag manifest by SHA-256, so no pack id" || len(r.NotChecked) != 0 {
		t.Errorf("id %v, format %v, %+v, not checked %q", r.PackID, r.PackFormat, r.Checks[13], r.NotChecked)
	}
	checkFaults(t, b.verify(Options{BagOnly: true, PackID: demoID}), 1, "B14 failed tagmanifest-sha256.txt: no pack id: the file is not there")
}

// writeTAR archives a bag as the format asks for.
func writeTAR(t testing.TB, out io.Writer, b *bag) {
	w := tar.NewWriter(out)
	for f, err := range Files(b.files) {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteHeader(&tar.Header{Name: b.name + "/" + f.Path, Mode: 0o644, Size: int64(len(f.Data)), Format: tar.FormatUSTAR}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
