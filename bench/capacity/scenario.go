package capacity

// Grown returns the network of docs/scaling.md at a given size, with follow edges, posts and
// popularity like large public networks. It is an assumption; bench/cmd/simulate takes other
// numbers.
func Grown(users int64) Network {
	return Network{Users: users, Follows: 100, Popularity: 0.65, Breadth: 1.8, Contents: 100, Reactions: 2}
}

// Ordinary returns what users of it do: a fifth is there every day and reads twenty pages, a
// fifth of all publishes every day, and the evening has three times the mean.
func Ordinary() Habits {
	return Habits{Daily: 0.2, Monthly: 0.5, Kept: 0.6, Publishes: 0.2, Reads: 20, First: 0.2, Returns: 0.002, Peak: 3}
}

// Sizes are the numbers of users that the page works out.
func Sizes() []int64 { return []int64{1_000_000, 10_000_000, 100_000_000} }

// NewModel returns a model of measured points with the limits that Tideline ships with and an
// ordinary fleet.
func NewModel(points Points) (Model, error) {
	c, err := Fit(points)
	return Model{Coefficients: c, Limits: DefaultLimits(), Fleet: DefaultFleet()}, err
}
