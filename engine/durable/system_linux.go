package durable

import (
	"os"

	"golang.org/x/sys/unix"
)

// exchange gives two existing folders each other's name in one step and says whether it did.
func exchange(a, b string) bool {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) == nil
}

// syncFileSystem writes everything that waits for the file system of dir to its disk and says whether it did.
// Since Linux 5.8 the call reports a failed write; before that the later rename still finds the bytes or the old file.
func syncFileSystem(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	err = unix.Syncfs(int(f.Fd()))
	return f.Close() == nil && err == nil
}
