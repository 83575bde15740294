package redisstore

import (
	_ "embed"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed lua/inbox.lua
	sharedLua string
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

// scripts are the steps on one inbox, each documented in its file.
type scripts struct {
	read, push, begin, finish, amend, trim *redis.Script
}

func newScripts() scripts {
	script := func(source string) *redis.Script { return redis.NewScript(sharedLua + "\n" + source) }
	return scripts{
		read:   script(readLua),
		push:   script(pushLua),
		begin:  script(beginLua),
		finish: script(finishLua),
		amend:  script(amendLua),
		trim:   script(trimLua),
	}
}
