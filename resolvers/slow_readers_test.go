package resolvers_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// narrow is a listener whose connections have small send buffers, as for a distant client. The
// loopback device would buffer megabytes.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	conn, err := n.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		err = tcp.SetWriteBuffer(64 << 10)
	}
	return conn, err
}

// Two slots of eight are those of one address.
func TestSlowReaders_HoldTheirSlots(t *testing.T) {
	w := longWorld(t, func(d *resolvers.Deps) {
		d.Transport = transport.New(transport.Options{Holder: resolvers.AddressFrom})
		d.Guard.OperationsMax, d.Guard.Holder = 8, resolvers.AddressFrom
	})
	server := httptest.NewUnstartedServer(w.handler)
	server.Listener = narrow{server.Listener}
	server.Start()
	t.Cleanup(server.Close)
	ask := func(address string) (status int, text io.Reader) { // for 3 MB
		body := strings.NewReader(request(`{ user(handle: "ben") { posts(first: 100) { nodes { text } } } }`, nil))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql", body)
		noError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Address", address)
		response, err := server.Client().Do(r)
		noError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		return response.StatusCode, response.Body
	}
	_, first := ask("slow")
	_, second := ask("slow")
	status, _ := ask("slow")
	wantEqual(t, http.StatusTooManyRequests, status, "the status of a third operation of the address")
	status, _ = ask("another")
	wantEqual(t, http.StatusOK, status, "the status of another address")
	for _, text := range []io.Reader{first, second} {
		_, err := io.Copy(io.Discard, text)
		noError(t, err)
	}
	// Slots are released after the last byte is written, when the client may already have it.
	until(func() bool {
		status, _ := ask("slow")
		return status == http.StatusOK
	})
}

func TestSubscription_BoundsTheDataOfAnEvent(t *testing.T) {
	w := longWorld(t)
	s := w.subscribed(1, `node { author {`+named(2, `posts(first: 100) { nodes { text } }`)+` } }`)
	w.announce(2, 1)
	got, _ := s.next()
	if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
		t.Errorf("an event of 6 MB is %.300s", fmt.Sprint(got))
	}
}
