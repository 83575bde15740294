package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// newBytes shows progress in bytes; size is -1 if unknown.
func newBytes(w io.Writer, name string, size int64) *progressbar.ProgressBar {
	return newBar(w, name, size, progressbar.OptionShowBytes(true))
}

// newCount shows progress as a count; all is -1 if unknown.
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

// isTerminal reports whether w can show a progress bar. A file would keep all its states.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
