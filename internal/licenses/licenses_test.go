package licenses_test

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/internal/licenses"
)

func TestOwn_IsTheLicenceOfTheRepository(t *testing.T) {
	want, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if licenses.Own() != string(want) {
		t.Error("own.txt differs from LICENSE; run go generate ./internal/licenses")
	}
}
