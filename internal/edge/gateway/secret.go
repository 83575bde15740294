package gateway

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const secretFile = "token.secret"

// SecretPath returns the path of the secret of a data directory.
func SecretPath(dataDir string) string { return filepath.Join(dataDir, secretFile) }

// LoadOrCreateSecret returns the secret of the data directory, [MinSecret] random bytes, and
// creates both if needed. Processes that start at once return the same secret. It fails if the file
// has another length or other users can read it.
func LoadOrCreateSecret(dataDir string) ([]byte, error) {
	path := SecretPath(dataDir)
	secret, err := loadSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := createSecret(dataDir, path); err != nil {
		return nil, fmt.Errorf("create the token secret: %w", err)
	}
	return loadSecret(path)
}

func loadSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the token secret: %w", err)
	}
	// Windows reports the same mode for every file.
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("the token secret %s is readable by other users (mode %04o); set its mode to 0600", path, mode)
	}
	if info.Size() != MinSecret {
		return nil, fmt.Errorf("the token secret %s has %d bytes instead of %d; delete it to create a new one, which signs all users out",
			path, info.Size(), MinSecret)
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the token secret: %w", err)
	}
	return secret, nil
}

// createSecret writes a temporary file and links it to path. Unlike a rename, a link does not
// replace the file of a faster process.
func createSecret(dir, path string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, secretFile+".*") // CreateTemp's mode is 0600.
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	secret := make([]byte, MinSecret)
	rand.Read(secret) // Never fails: the program ends when the system has no entropy.
	_, err = file.Write(secret)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err = os.Link(file.Name(), path); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
