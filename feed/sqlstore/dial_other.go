//go:build !linux

package sqlstore

import (
	"syscall"
	"time"
)

// unacknowledged changes nothing: other systems have no such option, and a [watch] limits the wait.
func unacknowledged(time.Duration) func(network, address string, c syscall.RawConn) error { return nil }
