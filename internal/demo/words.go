package demo

var colours = []string{"Amber", "Ash", "Azure", "Copper", "Coral", "Crimson", "Ivory", "Jade", "Lilac", "Mint", "Ochre", "Opal", "Rust", "Sand", "Silver", "Slate", "Teal", "Umber", "Violet", "Wheat"}

var animals = []string{"Badger", "Crane", "Dormouse", "Egret", "Falcon", "Gecko", "Heron", "Ibex", "Jackdaw", "Kestrel", "Lynx", "Marten", "Newt", "Otter", "Plover", "Quail", "Raven", "Stoat", "Tern", "Wren"}

type topic struct {
	title  string
	things []string
}

var topics = []topic{
	{"Harbour", []string{"the early ferry", "low tide at the pier", "a new coat of paint on the boathouse", "fog over the breakwater"}},
	{"Kitchen", []string{"a lentil stew", "yesterday's sourdough", "the last of the quinces", "a very small lemon cake"}},
	{"Workshop", []string{"a squeaking hinge", "the lathe", "a chair with three legs", "glue that never dries"}},
	{"Trail", []string{"the ridge path after rain", "a hut above the tree line", "boots that finally fit", "the long way round"}},
	{"Garden", []string{"the first beans", "slugs, again", "a pear tree older than the house", "rain at the right time"}},
	{"Library", []string{"a borrowed atlas", "margins full of notes", "the reading room at closing time", "a book without its last page"}},
}

var openers = []string{
	"Spent the morning with %s.",
	"No one warned me about %s.",
	"Today's small joy: %s.",
	"Does anyone else think about %s this much?",
	"Three hours later: %s. Worth it.",
	"A short thread on %s, because you asked.",
	"I was wrong about %s.",
	"More of this, please: %s.",
}

var callings = []string{
	"Live: %s",
	"Ask me anything about %s",
	"An hour with %s",
	"From the beginning: %s",
	"What no one tells you about %s",
}

var replies = []string{
	"This made my day.", "Same here, every week.", "How long did that take?", "I would pay to see it.", "You are not wrong.",
	"Please tell us more.", "Saving this for later.", "I tried it. It did not go well.", "Lovely.", "Count me in.",
}
