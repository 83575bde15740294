package redisstore

import (
	_ "embed"
	"strings"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed lua/order.lua
	orderLua string
	//go:embed lua/format.lua
	formatLua string
	//go:embed lua/inbox.lua
	inboxLua string
	//go:embed lua/each.lua
	eachLua string
	//go:embed lua/read.lua
	readLua string
	//go:embed lua/push.lua
	pushLua string
	//go:embed lua/begin.lua
	beginLua string
	//go:embed lua/finish.lua
	finishLua string
	//go:embed lua/amend.lua
	amendLua string
	//go:embed lua/trim.lua
	trimLua string
	//go:embed lua/pulse.lua
	pulseLua string
	//go:embed lua/set.lua
	setLua string
	//go:embed lua/spend.lua
	spendLua string
)

type scripts struct {
	read, push, begin, finish, amend, trim *redis.Script
}

// newScripts joins each script with the parts it uses only: Redis runs the whole text every time.
func newScripts() scripts {
	script := func(parts ...string) *redis.Script {
		return redis.NewScript(strings.Join(append([]string{orderLua, formatLua}, parts...), "\n"))
	}
	return scripts{
		read:   script(readLua),
		push:   script(eachLua, pushLua),
		begin:  script(inboxLua, beginLua),
		finish: script(inboxLua, finishLua),
		amend:  script(inboxLua, amendLua),
		trim:   script(eachLua, trimLua),
	}
}
