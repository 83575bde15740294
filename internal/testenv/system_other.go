//go:build !linux

package testenv

import "syscall"

// memoryDir is empty because no file system is known to be in memory.
const memoryDir = ""

func freeMemory() uint64 { return 0 }

// dieWithParent does nothing, because the kernel has no such feature. A killed test binary leaves
// its processes running.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{}
}
