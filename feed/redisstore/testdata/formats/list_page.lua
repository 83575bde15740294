-- KEYS: list  ARGV: record to begin below, how many

local key = KEYS[1]
local low, high = 2, redis.call('LLEN', key)
while low < high do
  local middle = floor((low + high) / 2)
  if older(redis.call('LINDEX', key, middle), 1, ARGV[1], 1) then low = middle + 1 else high = middle end
end
local out = redis.call('LRANGE', key, math.max(2, low - tonumber(ARGV[2])), low - 1)
out[#out + 1] = redis.call('LINDEX', key, 0)
out[#out + 1] = redis.call('LINDEX', key, 1)
return out
