//go:build !linux

package sqlstore

import (
	"syscall"
	"time"
)

// unacknowledged leaves it to the system how long sent data may stay unacknowledged; a
// [watch] sees to what this keeps waiting.
func unacknowledged(time.Duration) func(network, address string, c syscall.RawConn) error { return nil }
