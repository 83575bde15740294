package testenv

import "syscall"

// memoryDir is the file system in memory that every Linux has.
const memoryDir = "/dev/shm"

// freeMemory returns how many bytes can be written to memoryDir: in a container
// often only 64 MiB, and 0 when it is not there.
func freeMemory() uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &fs); err != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
