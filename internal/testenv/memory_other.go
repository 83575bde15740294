//go:build !linux

package testenv

// memoryDir is not used where no file system is known to be in memory.
const memoryDir = ""

// freeMemory returns 0.
func freeMemory() uint64 { return 0 }
