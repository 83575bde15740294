package redisstore

import "time"

// listenAgain is short because evictions are missed meanwhile, and lets a Redis start.
const listenAgain = 250 * time.Millisecond

func (e *Evictions) subscribe() {
	for {
		err := listenTo(e.closing, e.redis, evictionChannel, e.subscribed, e.heed)
		if e.closing.Err() != nil {
			return
		}
		if !e.deaf {
			e.deaf = true
			e.log.Warn("evictions of other processes cannot be received; this process may show outdated data for its caches' time to live", "error", err)
		}
		select {
		case <-time.After(listenAgain):
		case <-e.closing.Done():
			return
		}
	}
}

// subscribed makes up for missed messages. Redis has confirmed the subscription, so none is missed
// from here on.
func (e *Evictions) subscribed() error {
	e.purge()
	if e.deaf {
		e.deaf = false
		e.log.Info("evictions of other processes are received again; the cache was purged")
	}
	return nil
}

// heed evicts what another process did. After an unreadable message it purges everything.
func (e *Evictions) heed(text string) error {
	ev, from, err := decodeEviction(text)
	switch {
	case err != nil:
		e.purge()
		if !e.puzzled {
			e.puzzled = true
			e.log.Warn("an eviction cannot be read; such messages purge the cache", "error", err)
		}
	case from != e.self:
		e.received.Add(uint64(ev.size()))
		e.local.Evict(ev.posts, ev.users)
	}
	return nil
}

func (e *Evictions) purge() {
	e.purges.Add(1)
	e.local.Purge()
}
