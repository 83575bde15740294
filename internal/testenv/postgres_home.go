package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// postgresHome is the folder of a server, and the programs and the user that run it.
type postgresHome struct {
	bin, dir string
	// as is nil for the test's user.
	as *syscall.Credential
}

// newPostgresHome makes a folder on the disk if there is one. Otherwise the folder is in memory if
// possible.
func newPostgresHome(on *disk) (h postgresHome, err error) {
	const pattern = "tideline-postgres-"
	if h.bin, err = postgresPrograms(); err != nil {
		return h, err
	}
	if h.as, err = postgresUser(); err != nil {
		return h, err
	}
	if on == nil {
		h.dir, err = scratchDir(pattern)
	} else {
		on.as = h.as
		h.dir, err = os.MkdirTemp(on.dir, pattern)
	}
	if err != nil || h.as == nil {
		return h, err
	}
	return h, os.Chown(h.dir, int(h.as.Uid), int(h.as.Gid))
}

func (h postgresHome) data() string { return filepath.Join(h.dir, "data") }
func (h postgresHome) log() string  { return filepath.Join(h.dir, "log") }

// start makes the data folder, which takes about a second, and starts a server. settings override the
// package's own.
func (h postgresHome) start(settings ...string) (*postgresServer, error) {
	err := h.run(context.Background(), "initdb", "--pgdata", h.data(), "--username", "postgres", "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C", "--no-sync")
	if err != nil {
		return nil, err
	}
	return h.serve(settings...)
}

// serve starts a server for the data folder on a free port.
func (h postgresHome) serve(settings ...string) (*postgresServer, error) {
	var failure error
	for range startTries {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		g, err := startGuard(h.dir, h.as, h.command(port, settings...)...)
		if err != nil {
			return nil, err
		}
		if failure = awaitPostgres(h.log()); failure == nil {
			return &postgresServer{port: port, log: h.log(), guard: g}, nil
		}
		if err := g.stop(); err != nil {
			return nil, errors.Join(failure, err)
		}
		if !errors.Is(failure, errPortTaken) {
			return nil, failure
		}
	}
	return nil, failure
}

func (h postgresHome) command(port int, further ...string) []string {
	settings := []string{
		"listen_addresses=" + host,
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=",
		"max_connections=400",
		"shared_buffers=32MB",
		// The folder may be in memory, where 1 GB of log, the default, is too much.
		"max_wal_size=128MB",
		// The data is temporary and needs no durability.
		"fsync=off",
		"synchronous_commit=off",
		"full_page_writes=off",
		// The guard removes shared memory with the data folder if it is in files there.
		"dynamic_shared_memory_type=mmap",
	}
	command := []string{filepath.Join(h.bin, "postgres"), "-D", h.data()}
	for _, setting := range append(settings, further...) {
		command = append(command, "-c", setting)
	}
	return command
}

// run runs one of the programs that come with the server.
func (h postgresHome) run(ctx context.Context, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, eventually.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(h.bin, name), args...)
	cmd.Dir = h.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: h.as}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: %s: %w; its output:\n%s", name, err, out)
	}
	return nil
}

// postgresPrograms returns the folder of initdb and postgres. It prefers PATH, then the newest
// version in Debian's folder, which is not in PATH.
func postgresPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		// Resolve links: postgres is next to the real initdb.
		target, err := filepath.EvalSymlinks(path)
		return filepath.Dir(target), err
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", errors.New("testenv: this test needs the PostgreSQL server, which is not installed; on Debian: apt-get install postgresql")
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) })
	return filepath.Dir(newest), nil
}

// majorVersion returns the 15 of /usr/lib/postgresql/15/bin/initdb, or 0 without a number.
func majorVersion(initdb string) int {
	version := filepath.Base(filepath.Dir(filepath.Dir(initdb)))
	major, _, _ := strings.Cut(version, ".")
	number, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return number
}

// postgresUser returns the user of the server. It is nil, the test's user, unless that is root,
// because PostgreSQL refuses to run as root.
func postgresUser() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("testenv: PostgreSQL refuses to run as root and the user postgres is missing (on Debian: apt-get install postgresql): %w", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}
