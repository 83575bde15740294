-- Adds one key to inboxes that are building or ready.
--
-- KEYS     see each.lua; one for each inbox, see layout.lua
-- ARGV[1]  the key, a record
-- ARGV[2]  the cap: how many entries an inbox keeps
-- Result   see each.lua
--
-- Guarantees: an absent inbox stays absent; a key at or below the floor is dropped;
-- doing it twice is the same as doing it once; whatever leaves the inbox lifts the
-- floor to itself.

local record, cap = ARGV[1], tonumber(ARGV[2])
local published, most = time(record, 1), full(cap)

-- insert adds the record where it belongs, and returns the length of the inbox.
local function insert(key)
  local length = call('STRLEN', key)
  if not fits(length) then
    return 0
  end
  local count = (length - HEAD) / WIDTH
  local at = search(key, record, 0, count)
  if at == 0 then
    return length
  end
  local newer = records(key, at, count - 1)
  if string.sub(newer, 1, WIDTH) == record then
    return length
  end
  return call('SETRANGE', key, HEAD + WIDTH * at, record .. newer)
end

-- push adds it behind the newest one, where it belongs nearly always.
local function push(i)
  local key = KEYS[i]
  local newest = call('GETRANGE', key, -WIDTH, -1)
  if newest == record or #newest < WIDTH then
    return
  end
  local length
  local before = time(newest, 1)
  if before < published or (before == published and older(newest, 1, record, 1)) then
    length = call('APPEND', key, record)
  else
    length = insert(key)
  end
  if length > most then
    cut(key, cap)
  end
end

return each(1, push)
