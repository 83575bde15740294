package hashslot

import "testing"

func TestOf_MatchesSpecification(t *testing.T) {
	if got := Of("123456789"); got != 0x31C3 {
		t.Fatalf("the slot of the specification's example is %#x", got)
	}
}

func TestTags_LieInTheirSlot(t *testing.T) {
	tags := Tags()
	for want, tag := range tags {
		if got := Of("tideline:pulse:{" + tag + "}"); got != want || tag == "" {
			t.Fatalf("the tag %q of slot %d lies in slot %d", tag, want, got)
		}
	}
}
