package testenv

import "syscall"

// memoryDir is the in-memory file system of Linux.
const memoryDir = "/dev/shm"

// freeMemory returns the free space of memoryDir in bytes. It is often only 64 MiB in a container,
// and 0 if memoryDir does not exist.
func freeMemory() uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &fs); err != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}

// dieWithParent makes the kernel kill a process when the thread that started it ends. The caller
// must keep its thread for as long as the process should live.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
