package feed_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestURLReference_StaysOnServer(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, "a.png": true, "../a b.png": true, "/a.png": true, "?a=1": true, "https://x.example/a.png?x=<1>": true,
		"//x.example": false, "///x.example": false, `/\x.example`: false, `\/x.example`: false, `\\x.example`: false, `a\b`: false,
		" //x.example": false, "\t//x.example": false, "/\t/x.example": false, "/a.png ": false, "\u00a0/a.png": false,
		"https:x.example": false, "https:/x.example": false, `https:\\x.example`: false, `https://x.example\@y.example`: false,
		"http://x.example/": false, "javascript:alert(1)": false, "/a\x00": false, "/a\xff": false,
	} {
		if got := feed.IsURLReference(s); got != want {
			t.Errorf("IsURLReference(%q) is %v, want %v", s, got, want)
		}
	}
}
