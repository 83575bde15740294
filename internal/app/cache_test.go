package app

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/lrucache"
)

func TestCacheBounds_AreProportional(t *testing.T) {
	b := cacheSettings{CacheMB: 128}.bounds()
	if b.posts.Bytes != 128<<20 || b.users.Bytes != 32<<20 || b.posts.Size != 100_000 || b.users.Size != 40_000 {
		t.Errorf("128 MB are %+v and %+v", b.posts, b.users)
	}
	if b.viewers.Bytes != 128<<20 || b.counters.Bytes != 32<<20 {
		t.Errorf("128 MB are %+v and %+v", b.viewers, b.counters)
	}
	for name, o := range map[string]lrucache.Options{"contents": (cacheSettings{}).bounds().posts, "viewers": (cacheSettings{}).bounds().viewers} {
		if o.Bytes != 0 {
			t.Errorf("nothing for %s is %+v", name, o)
		}
	}
}
