-- Reads the head, and entries from a given position on.
--
-- KEYS     see format.lua
-- ARGV[1]  the cap: how many entries an inbox keeps
-- ARGV[2]  'descending' or 'ascending'
-- ARGV[3]  a record: a descending read begins below it, an ascending one at it; empty for an
--          end of the inbox
-- ARGV[4]  the maximum number of entries
-- Result   empty if the inbox is absent; else the head, the number of entries in the whole
--          inbox, and one string with the record of the floor and those of the entries, in
--          ascending order for both directions
--
-- Guarantees: head and entries are of one moment; the script reads the returned entries and,
-- to find the position, a kilobyte and some single ones.

local key, cap, from, limit = KEYS[1], tonumber(ARGV[1]), ARGV[3], tonumber(ARGV[4])
local length = call('STRLEN', key)
if not fits(length) then
  return {}
end
local high = (length - HEAD) / WIDTH
local bottom = math.max(0, high - 1 - cap)
local low = bottom + 1
local count = high - low
if ARGV[2] == 'descending' then
  if from ~= '' then
    high = search(key, from, low, high)
  end
  low = math.max(low, high - limit)
else
  if from ~= '' then
    low = search(key, from, low, high)
  end
  high = math.min(high, low + limit)
end
local head, lowest = call('GETRANGE', key, 0, HEAD - 1), records(key, bottom, bottom)
if low == high then
  return {head, count, lowest}
end
return {head, count, lowest .. records(key, low, high - 1)}
