package redisstore

import "time"

// listenAgain is the pause between two tries to listen. It is short, since what is
// evicted meanwhile is missed, and kind to a Redis that is starting.
const listenAgain = 250 * time.Millisecond

// subscribe listens until the end. It logs when it begins to hear nothing, or not to
// understand messages, not every time.
func (e *Evictions) subscribe() {
	for {
		err := listenTo(e.closing, e.redis, evictionChannel, e.subscribed, e.heed)
		if e.closing.Err() != nil {
			return
		}
		if !e.deaf {
			e.deaf = true
			e.log.Warn("what other processes evict is not heard; it may be shown for the caches' time to live", "error", err)
		}
		select {
		case <-time.After(listenAgain):
		case <-e.closing.Done():
			return
		}
	}
}

// subscribed makes up for missed messages. Redis has confirmed that it sends everything from
// here on, so nothing is missed in between.
func (e *Evictions) subscribed() error {
	e.purge()
	if e.deaf {
		e.deaf = false
		e.log.Info("what other processes evict is heard again; everything cached before was forgotten")
	}
	return nil
}

// heed evicts what another process did. A message that this version does not understand says
// that something has changed, and not what. So it purges everything, which is slow and right.
func (e *Evictions) heed(text string) error {
	ev, from, err := decodeEviction(text)
	switch {
	case err != nil:
		e.purge()
		if !e.puzzled {
			e.puzzled = true
			e.log.Warn("everything cached is forgotten whenever such a message comes", "error", err)
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
