package feed_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestFilter_MatchesOwnFieldsOfPosts(t *testing.T) {
	post := feed.Post{Kind: feed.KindPost, Language: "pt-BR"}
	photo, elsewhere := post, post
	photo.Media, elsewhere.OtherMedia = []string{"https://tide.example/a"}, feed.SomeOtherMedia
	unknown := feed.Post{Kind: feed.KindComment}
	for name, c := range map[string]struct {
		filter feed.Filter
		want   []bool // of post, photo, elsewhere and unknown
	}{
		"everything":       {feed.Filter{}, []bool{true, true, true, true}},
		"a kind":           {feed.OfKinds(feed.KindComment), []bool{false, false, false, true}},
		"with media":       {feed.Filter{}.WithMedia(true), []bool{false, true, true, false}},
		"without media":    {feed.Filter{}.WithMedia(false), []bool{true, false, false, true}},
		"its language":     {feed.Filter{}.InLanguages("PT"), []bool{true, true, true, true}},
		"another language": {feed.Filter{}.InLanguages("en", "p"), []bool{false, false, false, true}},
		"no language":      {feed.Filter{}.InLanguages(), []bool{true, true, true, true}},
		"all criteria":     {feed.OfKinds(feed.KindPost).WithMedia(true).InLanguages("pt-PT"), []bool{false, true, true, false}},
	} {
		var got []bool
		for _, p := range []*feed.Post{&post, &photo, &elsewhere, &unknown} {
			got = append(got, c.filter.Match(p))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if a, b := (feed.Filter{}.InLanguages("en-GB", "de")), (feed.Filter{}.InLanguages("DE", "en", "en-US")); a != b {
		t.Errorf("%v and %v let the same posts pass and differ", a, b)
	}
}

func TestFilter_RefusesBadLanguages(t *testing.T) {
	many := make([]string, feed.FilterLanguagesMax+1)
	for i := range many {
		many[i] = "x-" + strconv.Itoa(i)
	}
	letters := make([]string, feed.FilterLanguagesMax+1)
	for i := range letters {
		letters[i] = "a" + string(rune('a'+i))
	}
	for name, c := range map[string]struct {
		tags []string
		want feed.Code
	}{
		"none":            {nil, ""},
		"a tag":           {[]string{"pt-BR"}, ""},
		"empty":           {[]string{""}, feed.CodeBadInput},
		"no tag":          {[]string{"en", "a%"}, feed.CodeBadInput},
		"one in many":     {many, ""},
		"all that may be": {letters[1:], ""},
		"too many":        {letters, feed.CodeBadInput},
	} {
		if err := (feed.Filter{}).InLanguages(c.tags...).Check(); feed.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
