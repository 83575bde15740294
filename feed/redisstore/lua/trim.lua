-- Drops an inbox that nobody can use, and brings any other within the cap.
--
-- KEYS     see inbox.lua
-- ARGV[1]  the cap: how many entries an inbox keeps
-- ARGV[2]  the generation below which inboxes are dropped
-- Result   1 when something was dropped, 0 when nothing was
--
-- Guarantees: what is dropped whole is of a lower generation, ready or building, or
-- has a header that does not fit its entries, or only one of the two; whatever else
-- leaves an inbox lifts the floor to itself; an inbox within the cap is not written
-- to.

local inbox = stored()
if not inbox or lower(inbox.generation, ARGV[2]) then
  return redis.call('DEL', KEYS[1], KEYS[2]) > 0 and 1 or 0
end
local cap = tonumber(ARGV[1])
if inbox.count <= cap then
  return 0
end
settle(inbox, inbox.count, cap)
return 1
