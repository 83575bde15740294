package loaders

import (
	"testing"

	"pgregory.net/rapid"
)

// The model is a map in which the first value of a key stays.
func TestValues_KeepTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a valueList[int, int]
		model := map[int]int{}
		for step := range rapid.IntRange(1, 20).Draw(t, "steps") {
			keys := rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 0, 40, rapid.ID).Draw(t, "keys")
			values := make([]int, len(keys))
			for i, k := range keys {
				values[i] = 1000*step + k
				if _, ok := model[k]; !ok {
					model[k] = values[i]
				}
			}
			a.add(keys, values)
			for _, k := range rapid.SliceOf(rapid.IntRange(0, 60)).Draw(t, "asked") {
				got := a.find(k)
				if want, there := model[k]; (got != nil) != there || there && *got != want {
					t.Fatalf("%d is %v; want %d, %v", k, got, want, there)
				}
			}
		}
	})
}
