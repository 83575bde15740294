-- Adds keys to a ready inbox, drops others, and writes the new coverage.
--
-- KEYS     see format.lua
-- ARGV[1]  the token that the inbox must have, padded to 32 bytes
-- ARGV[2]  the version that it must have, in 19 digits
-- ARGV[3]  the cap: how many entries an inbox keeps
-- ARGV[4]  the relations version to write, in 19 digits
-- ARGV[5]  the time to which warm_until is raised, in 19 digits
-- ARGV[6]  the floor of the amendment, a record
-- ARGV[7]  the keys to add, records in ascending order
-- ARGV[8]  the entries to drop, likewise
-- Result   1 if the inbox is amended; 0 if it is not ready, or differs from ARGV[1] or ARGV[2]
--
-- Guarantees: the floor is the highest of the inbox's, the amendment's and the newest
-- trimmed entry; nothing at or below it stays; a key both added and dropped is dropped, and
-- takes no other entry's place; warm_until never falls; if the result is 0 nothing has changed.

local inbox, cap = stored(KEYS[1]), tonumber(ARGV[3])
if not inbox or inbox.state ~= 'r' or inbox.token ~= ARGV[1] or inbox.version ~= ARGV[2] then
  return 0
end
-- Entries beyond the cap must not come back in the place of dropped ones.
trim(inbox, cap)
raise(inbox, ARGV[6])
merge(inbox, ARGV[7], ARGV[8])
trim(inbox, cap)
inbox.version = ARGV[4]
if inbox.warm_until < ARGV[5] then
  inbox.warm_until = ARGV[5]
end
store(KEYS[1], inbox)
return 1
