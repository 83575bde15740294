//go:build !linux

package testenv

import "syscall"

// dieWithParent does nothing, because the kernel has no such feature. A killed test binary leaves
// its processes running.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{}
}
