package app

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tideline-feeds/tideline/internal/edge/gateway"
)

// The system releases the lock on the embedded stores when the process ends.
func (s DatabaseSettings) lockDataDir() (unlock func(), err error) {
	if err := s.makeDataDir(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(s.DataDir, "server.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, BadSetting("--data-dir: %v; set a writable directory", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close()
		return nil, BadSetting("another server is running on %s; stop it, or set another --data-dir", s.DataDir)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// holdSecret marks the generated secret as in use until release or exit. Several can hold it.
func (s DatabaseSettings) holdSecret() (release func(), err error) {
	f, err := os.Open(gateway.SecretPath(s.DataDir))
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// SecretHeld reports whether a server on this machine uses the generated secret.
func (s DatabaseSettings) SecretHeld() (bool, error) {
	f, err := os.Open(gateway.SecretPath(s.DataDir))
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
