//go:build !linux

package testenv

// memoryDir is empty because no file system is known to be in memory.
const memoryDir = ""

func freeMemory() uint64 { return 0 }
