package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// newBytes shows how many bytes of size have been done; size is -1 when that is not known.
func newBytes(w io.Writer, name string, size int64) *progressbar.ProgressBar {
	return newBar(w, name, size, progressbar.OptionShowBytes(true))
}

// newCount shows how many of all have been done; all is -1 when that is not known.
func newCount(w io.Writer, name string, all int) *progressbar.ProgressBar {
	return newBar(w, name, int64(all), progressbar.OptionShowCount())
}

func newBar(w io.Writer, name string, all int64, options ...progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions64(all, append(options,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetVisibility(isTerminal(w)),
		progressbar.OptionSetDescription(name),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)...)
}

// isTerminal says whether what is written to w is seen at once and may be written over. In a
// file every state of a bar would stay.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
