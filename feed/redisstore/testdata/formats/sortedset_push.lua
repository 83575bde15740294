-- A hash for the head and a sorted set for the entries: score = time, member = id in 20
-- digits.  KEYS: head, entries  ARGV: time, id, cap

local h = redis.call('HMGET', KEYS[1], 'state', 'floor_ts', 'floor_id', 'count')
local count = tonumber(h[4] or '')
if count ~= redis.call('ZCARD', KEYS[2]) then return 0 end
local ts, floor_ts = tonumber(ARGV[1]), tonumber(h[2])
if ts < floor_ts or (ts == floor_ts and ARGV[2] <= h[3]) then return 0 end
if redis.call('ZADD', KEYS[2], 'NX', ARGV[1], ARGV[2]) == 0 then return 0 end
count = count + 1
if count > tonumber(ARGV[3]) then
  local gone = redis.call('ZPOPMIN', KEYS[2])
  h[3], h[2], count = gone[1], gone[2], count - 1
end
redis.call('HSET', KEYS[1], 'count', count, 'floor_ts', h[2], 'floor_id', h[3])
return 1
