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

// secretFile is the name of the secret's file in the data directory.
const secretFile = "token.secret"

// SecretPath returns where [LoadOrCreateSecret] keeps the secret of a data directory.
func SecretPath(dataDir string) string { return filepath.Join(dataDir, secretFile) }

// LoadOrCreateSecret returns the secret of the data directory, [MinSecret] random
// bytes, and makes directory and secret when they are not there. The file is the
// owner's alone (mode 0600) and appears whole or not at all; when several processes
// start at once the first file stands and all return it. A file of another length,
// or one that others may read, is refused with the path and what to do.
func LoadOrCreateSecret(dataDir string) ([]byte, error) {
	path := SecretPath(dataDir)
	secret, err := loadSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := createSecret(dataDir, path); err != nil {
		return nil, fmt.Errorf("make the token secret: %w", err)
	}
	return loadSecret(path)
}

func loadSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the token secret: %w", err)
	}
	// Windows knows no such modes and reports the same for every file.
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("the token secret %s may be read by others (mode %04o): set it to 0600", path, mode)
	}
	if info.Size() != MinSecret {
		return nil, fmt.Errorf("the token secret %s has %d bytes instead of %d: delete it to get a new one, which signs everybody out",
			path, info.Size(), MinSecret)
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the token secret: %w", err)
	}
	return secret, nil
}

// createSecret writes a secret under a name of its own and links it to path. A link,
// unlike a rename, does not replace the file of a process that was faster, and it
// never shows a file that is not yet written.
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
