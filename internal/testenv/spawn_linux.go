package testenv

import "syscall"

// dieWithParent makes the kernel kill a process when the thread that started it
// ends. The starter must therefore hold its thread for as long as the process
// is to live.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
