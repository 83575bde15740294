-- KEYS: head, segments  ARGV: record to begin below, how many

local h = redis.call('HMGET', KEYS[1], 'state', 'token', 'generation', 'version', 'started_at',
  'floor', 'count', 'warm_until', 'newest')
local newest, left = tonumber(h[9]), tonumber(ARGV[2])
for i = 0, 3 do
  local segment = KEYS[2 + (newest + 4 - i) % 4]
  local found = redis.call('ZREVRANGEBYLEX', segment, '(' .. ARGV[1], '-', 'LIMIT', 0, left)
  for j = 1, #found do h[#h + 1] = found[j] end
  left = left - #found
  if left == 0 then break end
end
return h
