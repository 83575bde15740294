package feedtest

import (
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// subscribe lets a client receive changes from a process instead of reading them.
func (m *syncHistory) subscribe(t *rapid.T) {
	c, any := m.client(t)
	if !any || !c.open || c.sub != nil {
		return
	}
	var err error
	c.sub, err = m.process(t).subscriptions.Subscribe(m.ctx, c.viewer, subscribe.Query{Since: c.token, Kinds: c.kinds})
	m.must(t, err)
}

// disconnect ends a client's subscription. The client may read changes or subscribe again.
func (m *syncHistory) disconnect(t *rapid.T) {
	if c, any := m.client(t); any {
		c.unsubscribe()
	}
}

func (c *syncClient) unsubscribe() {
	if c.sub != nil {
		c.sub.Close()
		c.sub = nil
	}
}

// receive lets a subscriber receive some of what waits, or all.
func (m *syncHistory) receive(t *rapid.T) {
	c, any := m.client(t)
	if !any || c.sub == nil {
		return
	}
	if rapid.Bool().Draw(t, "all") {
		m.receiveAll(t, c)
	} else {
		m.receiveSome(t, c)
	}
}

func (m *syncHistory) receiveAll(t *rapid.T, c *syncClient) {
	for m.receiveSome(t, c) {
	}
}

// receiveSome receives a page and reports whether there may be more.
func (m *syncHistory) receiveSome(t *rapid.T, c *syncClient) (more bool) {
	if c.sub == nil {
		return false
	}
	page, err := c.sub.Poll(m.ctx)
	m.must(t, err)
	if page == nil {
		return false
	}
	c.token = page.Token.String()
	for _, change := range page.Changes {
		m.count(change)
		c.apply(change)
	}
	return true
}
