-- Adds the keys of a build to those pushed meanwhile, and makes the inbox ready.
--
-- KEYS     see format.lua
-- ARGV[1]  the build's token, padded to 32 bytes
-- ARGV[2]  the cap: how many entries an inbox keeps
-- ARGV[3]  the relations version up to which the inbox is complete, in 19 digits
-- ARGV[4]  the time until which it is warm, in 19 digits
-- ARGV[5]  the floor of the build, a record
-- ARGV[6]  the keys found, records in ascending order
-- Result   1 if the inbox is ready, 0 if it is not building under the token
--
-- Guarantees: the floor is the highest of the inbox's, the build's and the newest trimmed
-- entry; nothing at or below it stays; if the result is 0 nothing has changed.

local inbox, cap = stored(KEYS[1]), tonumber(ARGV[2])
if not inbox or inbox.state ~= 'b' or inbox.token ~= ARGV[1] then
  return 0
end
trim(inbox, cap)
raise(inbox, ARGV[5])
merge(inbox, ARGV[6], '')
trim(inbox, cap)
inbox.state, inbox.version, inbox.warm_until = 'r', ARGV[3], ARGV[4]
store(KEYS[1], inbox)
return 1
