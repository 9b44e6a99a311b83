//go:build !linux

package durable

// syncFileSystem says that this system has no such call, so each file is synced by itself.
func syncFileSystem(string) bool { return false }

// exchange says that this system has no such call.
func exchange(string, string) bool { return false }
