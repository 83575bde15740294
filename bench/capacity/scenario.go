package capacity

// Grown returns the network of docs/scaling.md with the given number of users. Its follow edges,
// posts and popularity resemble large public networks. It is an assumption; bench/cmd/simulate
// accepts other numbers.
func Grown(users int64) Network {
	return Network{Users: users, Follows: 100, Popularity: 0.65, Breadth: 1.8, Contents: 100, Reactions: 2}
}

// Ordinary returns the habits of docs/scaling.md. A fifth of all users visit daily and read twenty
// pages, and the peak is three times the mean. Users publish once every five days in the mean.
func Ordinary() Habits {
	return Habits{Daily: 0.2, Monthly: 0.5, Kept: 0.6, Publishes: 0.2, Reads: 20, First: 0.2, Returns: 0.002, Peak: 3}
}

// Sizes returns the numbers of users in docs/scaling.md.
func Sizes() []int64 { return []int64{1_000_000, 10_000_000, 100_000_000} }

// NewModel returns a model fitted to points, with Tideline's default limits and the default fleet.
func NewModel(points Points) (Model, error) {
	c, err := Fit(points)
	return Model{Coefficients: c, Limits: DefaultLimits(), Fleet: DefaultFleet()}, err
}
