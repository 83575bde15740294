package transport_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// What operations keep counts in the budget of unsent bytes. Of its quarter, one client may have two
// large operations.
func TestIdle_LargeOperationsCountAsUnsent(t *testing.T) {
	const size = 1 << 20
	for name, begin := range map[string]func(b *bench) (wantEnd func()){
		"stream": func(b *bench) func() {
			s := b.subscribed(context.Background())
			return func() {
				s.want(": " + makeRoom + "\n\n")
				s.wantEnd()
			}
		},
		"socket": func(b *bench) func() {
			p := b.connected()
			p.send(subscribe("1", "subscription { ticks }"))
			return func() { p.wantClosed(websocket.StatusTryAgainLater, makeRoom) }
		},
		"unopened reservation": func(b *bench) func() {
			c := b.reserve("")
			c.wantStatus(http.StatusAccepted, "a", "{ name }")
			return func() { c.wantStatus(http.StatusNotFound, "b", "{ name }") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, transport.Options{UnsentMax: 10 * size}, func(b *bench) {
				b.transport.SizeOperations(func(*graphql.OperationContext) int { return size })
				wantEnd := begin(b)
				synctest.Wait()
				if got := b.transport.Unsent(); got < size/2 || got > 2*size {
					t.Errorf("one operation counts %d bytes", got)
				}
				for range 2 {
					b.subscribed(context.Background())
				}
				wantEnd()
				synctest.Wait()
				if got := b.transport.Unsent(); got < size || got > 10*size/4 {
					t.Errorf("two operations count %d bytes", got)
				}
			})
		})
	}
}

func TestIdle_FirstOperationsOfConnectionsAreFree(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		for _, id := range []string{"1", "2", "3"} {
			p.send(subscribe(id, "subscription { ticks }"))
			synctest.Wait()
			if free := id != "3"; free != (b.transport.Unsent() == 0) {
				t.Errorf("operation %s: %d bytes count", id, b.transport.Unsent())
			}
		}
		for _, id := range []string{"1", "2", "3"} {
			p.send(`{"type":"complete","id":"` + id + `"}`)
		}
		synctest.Wait()
		wantEqual(t, 0, b.transport.Unsent(), "the bytes that count after the end")
	})
}
