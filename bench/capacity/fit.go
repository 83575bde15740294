package capacity

import (
	"errors"
	"slices"
)

// Coefficients are the measured unit costs.
type Coefficients struct {
	// RowBytes are the bytes of a row of each table, with its part of all indexes.
	RowBytes map[string]float64 `json:"rowBytes"`
	// WordsPerUser is the mean number of search words of a user.
	WordsPerUser float64 `json:"wordsPerUser"`
	// Inbox is the memory of a newly built inbox, including Redis's overhead. Room is the factor by
	// which an inbox in use takes more.
	Inbox Line    `json:"inbox"`
	Room  float64 `json:"room"`
	// Idle is the cost of one idle second of an API process and a worker.
	Idle Cost `json:"idleSecond"`
	// First, Again and Absent are reads, as in [Point].
	First  Cost `json:"firstRead"`
	Again  Cost `json:"readAgain"`
	Absent Cost `json:"readWithoutInbox"`
	// Publish is the cost of a publish without followers. Entry is the additional cost of each
	// inbox, including its share of slices of minimum length.
	Publish Cost `json:"publish"`
	Entry   Cost `json:"entry"`
}

// Fit derives the coefficients from points measured with [DefaultLimits]. Each coefficient is the
// mean over all points; bytes per row are weighted by rows. Entry is the cost difference between a
// star post and an ordinary post, divided by the difference in entries. Publish is the cost of an
// ordinary post without its entries. Fit returns an error if there are no points.
func Fit(points Points) (Coefficients, error) {
	if len(points) == 0 {
		return Coefficients{}, errors.New("there is no measured point to take coefficients from")
	}
	c := Coefficients{RowBytes: rowBytes(points)}
	part := 1 / float64(len(points))
	for _, p := range points {
		c.WordsPerUser += part * float64(p.Tables["user_words"].Rows) / float64(p.Users)
		c.Inbox.PerEntry += part * p.Built.PerEntry
		c.Inbox.Base += part * (float64(p.RedisBytes) - p.Built.PerEntry*float64(p.Entries)) / float64(p.Inboxes)
		c.Room += part * p.Room
		c.Idle = c.Idle.Plus(p.Idle.Times(part))
		c.First = c.First.Plus(p.First.Times(part))
		c.Again = c.Again.Plus(p.Again.Times(part))
		c.Absent = c.Absent.Plus(p.Absent.Times(part))
		publish, entry := p.publish()
		c.Publish, c.Entry = c.Publish.Plus(publish.Times(part)), c.Entry.Plus(entry.Times(part))
	}
	return c.atLeastZero(), nil
}

// atLeastZero returns c with negative costs set to zero.
func (c Coefficients) atLeastZero() Coefficients {
	for _, cost := range []*Cost{&c.Idle, &c.First, &c.Again, &c.Absent, &c.Publish, &c.Entry} {
		*cost = cost.atLeastZero()
	}
	return c
}

// rowBytes returns the mean bytes per row of each table.
func rowBytes(points Points) map[string]float64 {
	out := map[string]float64{}
	for name := range points[0].Tables {
		var all Table
		for _, p := range points {
			all.Rows += p.Tables[name].Rows
			all.Bytes += p.Tables[name].Bytes
		}
		if all.Rows > 0 {
			out[name] = float64(all.Bytes) / float64(all.Rows)
		}
	}
	return out
}

// publish returns the cost of a publish without followers and the cost of one entry.
func (p Point) publish() (publish, entry Cost) {
	many, few := p.Star.each(), p.Ordinary.each()
	if many <= few {
		return p.Ordinary.Each, Cost{}
	}
	limits := DefaultLimits()
	more := limits.worth(many).Plus(limits.worth(few).Times(-1))
	entry = p.Star.Each.Plus(p.Ordinary.Each.Times(-1)).atLeastZero().whole(more)
	// Workers push, so additional recipients cost the API processes nothing.
	entry.API = 0
	return p.Ordinary.Each.Plus(entry.Times(-few)), entry
}

// each returns the mean number of inbox entries per publish.
func (p Publishes) each() float64 {
	if p.Count == 0 {
		return 0
	}
	return float64(p.Entries) / float64(p.Count)
}

// publishing returns the cost of one publish to the given number of inboxes.
func (c Coefficients) publishing(entries float64, l Limits) Cost {
	return c.Publish.Plus(c.Entry.of(l.worth(entries)))
}

// Below returns all points except the largest, which they predict.
func (l Points) Below() Points {
	if len(l) == 0 {
		return nil
	}
	last := l[len(l)-1].Users
	return slices.DeleteFunc(slices.Clone(l), func(p Point) bool { return p.Users >= last })
}
