-- KEYS: string  ARGV: record to begin below, how many

local s = redis.call('GET', KEYS[1])
local HEAD = 114
local entries = string.sub(s, HEAD + 1, HEAD + WIDTH * (byte(s, 1) * 256 + byte(s, 2)))
local high = place(entries, ARGV[1])
local low = math.max(0, high - tonumber(ARGV[2]))
return {string.sub(s, 1, HEAD), string.sub(entries, WIDTH * low + 1, WIDTH * high)}
