package pipenet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/tideline-feeds/tideline/internal/pipenet"
)

func TestListener_ConnectsBothEnds(t *testing.T) {
	l := pipenet.Listen()
	go func() {
		if server, err := l.Accept(); err == nil {
			_, _ = io.WriteString(server, "hello")
			_ = server.Close()
		}
	}()
	client, err := l.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(client); err != nil || string(got) != "hello" {
		t.Errorf("the client reads %q, %v", got, err)
	}
}

func TestListener_RefusesAfterClose(t *testing.T) {
	l := pipenet.Listen()
	for range 2 {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept returns %v", err)
	}
	if _, err := l.Dial(t.Context(), "", ""); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Dial returns %v", err)
	}
}

func TestListener_DialEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pipenet.Listen().Dial(ctx, "", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial returns %v", err)
	}
}
