package testenv

import "syscall"

// dieWithParent makes the kernel kill a process when the thread that started it ends. The caller
// must keep its thread for as long as the process should live.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
