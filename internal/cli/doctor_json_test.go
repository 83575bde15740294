package cli

import (
	"encoding/json"
	"testing"

	"github.com/tideline-feeds/tideline/feed/doctor"
)

func TestJSONOf_NamesIDsAsText(t *testing.T) {
	got, err := json.Marshal((&doctorReport{}).jsonOf(doctor.Finding{Viewer: 1 << 60, Post: 7, Kind: doctor.MissingEntry}))
	want := `{"user":"1152921504606846976","content":"7","kind":"missing-entry","what":"the inbox lacks a post",` +
		`"why":"its push is done, and the inbox covers its author","wrong":true}`
	if err != nil || string(got) != want {
		t.Errorf("a finding is %s, %v", got, err)
	}
}
