-- KEYS: head, entries  ARGV: time and id to begin below, how many

local h = redis.call('HMGET', KEYS[1], 'state', 'token', 'generation', 'version', 'started_at',
  'floor_ts', 'floor_id', 'count', 'warm_until')
if tonumber(h[8] or '') ~= redis.call('ZCARD', KEYS[2]) then return {} end
local limit = tonumber(ARGV[3])
local function take(entries, below)
  for i = 1, #entries, 2 do
    if limit > 0 and (not below or entries[i] < below) then
      h[#h + 1], h[#h + 2] = entries[i], entries[i + 1]
      limit = limit - 1
    end
  end
end
take(redis.call('ZREVRANGEBYSCORE', KEYS[2], ARGV[1], ARGV[1], 'WITHSCORES'), ARGV[2])
take(redis.call('ZREVRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '-inf', 'WITHSCORES', 'LIMIT', 0, limit))
return h
