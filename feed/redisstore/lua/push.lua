-- Adds one key to an inbox that is building or ready.
--
-- KEYS     see inbox.lua
-- ARGV[1]  the key's publish time in milliseconds
-- ARGV[2]  its content id as 20 digits
-- ARGV[3]  the cap: how many entries an inbox keeps
-- Result   1 when the key was added, 0 when it was dropped or known
--
-- Guarantees: an absent inbox stays absent; a key at or below the floor is dropped;
-- doing it twice is the same as doing it once; whatever leaves the inbox lifts the
-- floor to itself.

local inbox = stored()
if not inbox or not newer(ARGV[1], ARGV[2], inbox.floor_ts, inbox.floor_id) then
  return 0
end
if redis.call('ZADD', KEYS[2], 'NX', ARGV[1], ARGV[2]) == 0 then
  return 0
end
settle(inbox, inbox.count + 1, tonumber(ARGV[3]))
return 1
