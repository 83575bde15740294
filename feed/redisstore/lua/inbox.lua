-- Changing an inbox as a whole; it is put behind layout.lua.
--
-- The head is "b" while the inbox is building and "r" when it is ready; then generation,
-- version, warm_until and started_at in 19 digits, which are compared as text and lose
-- none; then the token, filled up with spaces to 32 bytes; all with a space in between.

-- stored returns the inbox, or nil when it is absent: no string, or none that can be one.
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

-- above returns what of the records in s is not older than r, without r itself.
local function above(s, r)
  local first = WIDTH * place(s, r) + 1
  if string.sub(s, first, first + WIDTH - 1) == r then
    first = first + WIDTH
  end
  return string.sub(s, first)
end

-- raise lifts the inbox's floor to a record, if that is higher, and drops the entries that
-- are not above it.
local function raise(inbox, r)
  if older(inbox.records, 1, r, 1) then
    inbox.records = r .. above(inbox.records, r)
  end
end

-- merge adds those of some records that are above the inbox's floor, and drops others. Both
-- are in ascending order.
local function merge(inbox, added, dropped)
  local own = inbox.records
  added = above(added, string.sub(own, 1, WIDTH))
  local out = {string.sub(own, 1, WIDTH)}
  local i, j, k = WIDTH + 1, 1, 1
  while i <= #own or j <= #added do
    local record
    if j > #added or (i <= #own and older(own, i, added, j)) then
      record = string.sub(own, i, i + WIDTH - 1)
      i = i + WIDTH
    else
      record = string.sub(added, j, j + WIDTH - 1)
      j = j + WIDTH
      if string.sub(own, i, i + WIDTH - 1) == record then
        i = i + WIDTH
      end
    end
    while k <= #dropped and older(dropped, k, record, 1) do
      k = k + WIDTH
    end
    if string.sub(dropped, k, k + WIDTH - 1) ~= record then
      out[#out + 1] = record
    end
  end
  inbox.records = table.concat(out)
end
