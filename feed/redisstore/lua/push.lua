-- Adds keys to inboxes that are building or ready.
--
-- KEYS     see each.lua; one for each inbox, see layout.lua
-- ARGV[1]  the keys, records in ascending order: one, or several of one author
-- ARGV[2]  the cap: how many entries an inbox keeps
-- Result   see each.lua
--
-- Guarantees: an absent inbox stays absent; a key at or below the floor is dropped;
-- doing it twice is the same as doing it once; whatever leaves the inbox lifts the
-- floor to itself.
--
-- This runs for every follower of everybody who publishes. What it costs is its two
-- commands, however many keys they bring, and half as much again is what can be done
-- wrongly around them: a number among the arguments of a command is printed with all its
-- digits, and a protected call or a comparison byte by byte costs a third of a command.

local KEYS, added, cap = KEYS, ARGV[1], tonumber(ARGV[2])
local most, last = full(cap), tostring(-WIDTH)

-- NEAR is how many of the newest records are looked at first for the place of one that is
-- late: contents that are pushed at the same time overtake each other by few.
local NEAR = 8
local near = tostring(-WIDTH * NEAR)

-- seat returns behind how many of an inbox's records, of which there are count, a record
-- belongs, and those that come behind it.
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

-- insert adds them where they belong, those that are above the floor, and returns the length
-- of the inbox.
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

-- below is a record that has been found to be older than all of them: many inboxes end with
-- the same one, when they have an author in common.
local below

-- push adds them behind the newest one, where they belong nearly always.
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
