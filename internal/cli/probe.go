package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/tideline-feeds/tideline/internal/app"
)

// healthCommand asks a server whether it is ready. It is for container health checks, whose image
// has no other program.
type healthCommand struct {
	URL string `env:"TIDELINE_HEALTH_URL" default:"http://127.0.0.1:8080/readyz" placeholder:"URL" help:"URL to ask; a worker has one only at its --admin-addr."`
}

const (
	// healthTimeout exceeds the time in which a server checks its stores, so that it can report
	// the one that failed.
	healthTimeout = 3 * time.Second
	// healthBytes exceeds the size of /readyz with all warnings, and bounds other responses.
	healthBytes = 16 << 10
)

func (c healthCommand) check() error {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return app.BadSetting("--url must be http://HOST:PORT/readyz, not %q", c.URL)
	}
	return nil
}

// Run prints the response, and fails unless the server is ready.
func (c healthCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, healthBytes))
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s returned %s: %s", c.URL, response.Status, bytes.TrimSpace(body))
	}
	_, err = fmt.Fprintf(o.out, "%s\n", bytes.TrimSpace(body))
	return err
}
