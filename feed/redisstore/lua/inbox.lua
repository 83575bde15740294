-- Functions that change a whole inbox; they follow format.lua.
--
-- The head is "b" for building or "r" for ready; then generation, version, warm_until and
-- started_at in 19 digits each, which compare as text; then the token, padded with spaces to 32
-- bytes; all separated by spaces.

-- stored returns the inbox, or nil if the value is missing or cannot be one.
local function stored(key)
  local s = call('GET', key)
  if not s or not fits(#s) then
    return nil
  end
  local function field(first, last) return string.sub(s, first, last) end
  return {
    state = field(1, 1), generation = field(3, 21), version = field(23, 41), warm_until = field(43, 61),
    started_at = field(63, 81), token = field(83, 114), records = field(HEAD + 1, #s),
  }
end

-- store writes the inbox.
local function store(key, inbox)
  local head = table.concat({
    inbox.state, inbox.generation, inbox.version, inbox.warm_until, inbox.started_at, inbox.token,
  }, ' ')
  call('SET', key, head .. inbox.records)
end

-- trim drops the oldest entries beyond the cap.
local function trim(inbox, cap)
  if #inbox.records > WIDTH * (cap + 1) then
    inbox.records = string.sub(inbox.records, -WIDTH * (cap + 1))
  end
end

-- raise raises the inbox's floor to a record, if that is higher, and drops the entries that are
-- not above it.
local function raise(inbox, r)
  if older(inbox.records, 1, r, 1) then
    inbox.records = r .. above(inbox.records, r)
  end
end

-- without returns the records in s without the dropped ones.
local function without(s, dropped)
  if dropped == '' then
    return s
  end
  local out, k = {}, 1
  for i = 1, #s, WIDTH do
    while k <= #dropped and older(dropped, k, s, i) do
      k = k + WIDTH
    end
    local record = string.sub(s, i, i + WIDTH - 1)
    if string.sub(dropped, k, k + WIDTH - 1) ~= record then
      out[#out + 1] = record
    end
  end
  return table.concat(out)
end

-- merge adds the records above the inbox's floor, and drops others. Both lists are in ascending
-- order.
local function merge(inbox, added, dropped)
  local lowest = string.sub(inbox.records, 1, WIDTH)
  local entries = merged(string.sub(inbox.records, WIDTH + 1), above(added, lowest))
  inbox.records = lowest .. without(entries, dropped)
end
