-- Adds keys to a ready inbox and drops others, and writes what it now covers.
--
-- KEYS     see inbox.lua
-- ARGV[1]  the token that the header must have
-- ARGV[2]  the version that it must have
-- ARGV[3]  the cap: how many entries an inbox keeps
-- ARGV[4]  the relations version to write
-- ARGV[5]  the time to which warm_until is raised
-- ARGV[6]  the floor of the amendment: publish time in milliseconds
-- ARGV[7]  and content id as 20 digits
-- ARGV[8]  how many keys to add
-- ARGV[9..] those: publish time and content id in turn, in any order; and after them
--          the content ids of the entries to drop
-- Result   1 when the inbox is amended, 0 when it is not ready, or not as ARGV[1]
--          and ARGV[2] say
--
-- Guarantees: the floor is the highest of the inbox's, the amendment's and the newest
-- entry that was trimmed; nothing at or below it stays; what is both to be added and
-- to be dropped is dropped, and takes no other entry's place; warm_until never falls;
-- when the result is 0 nothing has changed.

local inbox = stored()
if not inbox or inbox.state ~= 'ready' or inbox.token ~= ARGV[1] or inbox.version ~= ARGV[2] then
  return 0
end
local first_drop = 9 + 2 * tonumber(ARGV[8])
raise(inbox, ARGV[6], ARGV[7])
add(inbox, 9, first_drop - 1)
for i = first_drop, #ARGV do
  redis.call('ZREM', KEYS[2], ARGV[i])
end
if lower(inbox.warm_until, ARGV[5]) then
  inbox.warm_until = ARGV[5]
end
redis.call('HSET', KEYS[1], 'version', ARGV[4], 'warm_until', inbox.warm_until)
settle(inbox, redis.call('ZCARD', KEYS[2]), tonumber(ARGV[3]))
return 1
