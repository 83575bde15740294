-- A string with room for a quarter more entries than the cap, so that it never grows. In
-- front stand how many it has, in two bytes, and the newest.  KEYS: strings  ARGV: record, cap

local HEAD = 114
local record, cap = ARGV[1], tonumber(ARGV[2])
local function push(key)
  local front = redis.call('GETRANGE', key, 0, 15)
  if front == '' or string.sub(front, 3) == record then return end
  local count = byte(front, 1) * 256 + byte(front, 2)
  if not older(front, 3, record, 1) then
    local s = redis.call('GETRANGE', key, HEAD, HEAD + WIDTH * count - 1)
    local at = place(s, record)
    if string.sub(s, WIDTH * at + 1, WIDTH * at + WIDTH) == record then return end
    redis.call('SETRANGE', key, HEAD + WIDTH * at, record .. string.sub(s, WIDTH * at + 1))
    redis.call('SETRANGE', key, 0, string.char(floor((count + 1) / 256), (count + 1) % 256))
    return
  end
  if count >= cap + cap / 4 then
    local s = redis.call('GETRANGE', key, 0, HEAD + WIDTH * count - 1)
    redis.call('SET', key, string.sub(s, 1, HEAD) .. string.sub(s, -WIDTH * cap) .. string.rep('\0', WIDTH * cap / 4))
    count = cap
  end
  redis.call('SETRANGE', key, HEAD + WIDTH * count, record)
  count = count + 1
  redis.call('SETRANGE', key, 0, string.char(floor(count / 256), count % 256) .. record)
end
for i = 1, #KEYS do push(KEYS[i]) end
return #KEYS
