-- Adds keys to inboxes that are building or ready.
--
-- KEYS     see each.lua; one for each inbox, see format.lua
-- ARGV[1]  the keys, records in ascending order: one, or several of one author
-- ARGV[2]  the cap: how many entries an inbox keeps
-- Result   see each.lua
--
-- Guarantees: an absent inbox stays absent; a key at or below the floor is dropped; a repeated
-- push changes nothing; an entry that leaves the inbox raises the floor to its key.
--
-- This runs for every follower of every publisher. It costs two commands, however many keys
-- there are. Avoid what costs a third of a command or more: numbers as arguments, which are
-- printed with all digits, protected calls, and comparisons byte by byte.

local KEYS, added, cap = KEYS, ARGV[1], tonumber(ARGV[2])
local most, last = full(cap), tostring(-WIDTH)

-- NEAR is how many of the newest records are searched first for the place of a late key:
-- concurrent pushes overtake each other by few.
local NEAR = 8
local near = tostring(-WIDTH * NEAR)

-- seat returns the number of records below a record in an inbox with count records, and the
-- records above it.
local function seat(key, count, record)
  if count > NEAR then
    local newest = call('GETRANGE', key, near, '-1')
    local older = place(newest, record)
    if older > 0 then
      return count - NEAR + older, string.sub(newest, WIDTH * older + 1)
    end
  end
  local at = search(key, record, 0, count)
  return at, records(key, at, count - 1)
end

-- insert adds the keys above the floor in order, and returns the length of the inbox.
local function insert(key)
  local length = call('STRLEN', key)
  if not fits(length) then
    return 0
  end
  local at, newer = seat(key, (length - HEAD) / WIDTH, string.sub(added, 1, WIDTH))
  local fresh = added
  if at == 0 then
    fresh = above(added, string.sub(newer, 1, WIDTH))
  end
  local changed = merged(newer, fresh)
  if changed == newer then
    return length
  end
  return call('SETRANGE', key, string.format('%d', HEAD + WIDTH * at), changed)
end

-- below is a record known to be older than all keys: many inboxes end with the same record if
-- they share an author.
local below

-- push appends the keys if they are newer than the last record, as they nearly always are.
local function push(i)
  local key = KEYS[i]
  local newest = call('GETRANGE', key, last, '-1')
  if newest ~= below then
    if newest == added or #newest < WIDTH then
      return
    end
    if not older(newest, 1, added, 1) then
      if insert(key) > most then
        cut(key, cap)
      end
      return
    end
    below = newest
  end
  if call('APPEND', key, added) > most then
    cut(key, cap)
  end
end

return each(1, push)
