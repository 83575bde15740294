//go:build !linux

package testenv

import "syscall"

// dieWithParent does nothing where the kernel has no such promise: there a test
// binary that is killed leaves its processes behind.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{}
}
