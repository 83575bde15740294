-- A hash for the head and four sorted sets of up to 100 entries with equal scores, used in
-- turn: members are records of 14 bytes.  KEYS: head, segments  ARGV: record, cap

local record = ARGV[1]
local h = redis.call('HMGET', KEYS[1], 'floor', 'newest', 'count')
if not h[1] or not older(h[1], 1, record, 1) then return 0 end
local newest = tonumber(h[2])
local at = newest
for _ = 1, 3 do
  local first = redis.call('ZRANGE', KEYS[2 + at], 0, 0)[1]
  if not first or not older(record, 1, first, 1) then break end
  at = (at + 3) % 4
end
local segment = KEYS[2 + at]
if redis.call('ZADD', segment, 'NX', 0, record) == 0 then return 0 end
local count = tonumber(h[3]) + 1
if at == newest and redis.call('ZCARD', segment) > 100 then
  newest = (newest + 1) % 4
  local oldest = KEYS[2 + newest]
  local last = redis.call('ZRANGE', oldest, -1, -1)[1]
  if last then
    h[1], count = last, count - redis.call('ZCARD', oldest)
    redis.call('DEL', oldest)
  end
  redis.call('ZADD', oldest, 0, redis.call('ZPOPMAX', segment)[1])
end
redis.call('HSET', KEYS[1], 'floor', h[1], 'newest', newest, 'count', count)
return 1
