-- A list: the head, the floor, and the entries, oldest first, all records of 14 bytes but
-- the first.  KEYS: lists  ARGV: record, cap

local record, cap = ARGV[1], tonumber(ARGV[2])
local function push(key)
  local newest = redis.call('LINDEX', key, -1)
  if not newest or newest == record then return end
  local length
  if older(newest, 1, record, 1) then
    length = redis.call('RPUSH', key, record)
  else
    local at = -2
    local before = redis.call('LINDEX', key, at)
    while older(record, 1, before, 1) do
      at = at - 1
      newest, before = before, redis.call('LINDEX', key, at)
    end
    if before == record then return end
    length = redis.call('LINSERT', key, 'BEFORE', newest, record)
  end
  if length > cap + 2 + cap / 4 then
    local head = redis.call('LINDEX', key, 0)
    redis.call('LTRIM', key, length - cap - 1, -1)
    redis.call('LPUSH', key, head)
  end
end
for i = 1, #KEYS do push(KEYS[i]) end
return #KEYS
