-- Adds what a build found to what was pushed meanwhile, and makes the inbox ready.
--
-- KEYS     see inbox.lua
-- ARGV[1]  the build's token
-- ARGV[2]  the cap: how many entries an inbox keeps
-- ARGV[3]  the relations version the inbox is complete up to
-- ARGV[4]  the time it is warm until
-- ARGV[5]  the floor of the build: publish time in milliseconds
-- ARGV[6]  and content id as 20 digits
-- ARGV[7..] the keys found: publish time and content id in turn, in any order
-- Result   1 when the inbox is ready, 0 when it is not building under the token
--
-- Guarantees: the floor is the highest of the inbox's, the build's and the newest
-- entry that was trimmed; nothing at or below it stays; when the result is 0 nothing
-- has changed.

local inbox = stored()
if not inbox or inbox.state ~= 'building' or inbox.token ~= ARGV[1] then
  return 0
end
raise(inbox, ARGV[5], ARGV[6])
add(inbox, 7, #ARGV)
redis.call('HSET', KEYS[1], 'state', 'ready', 'version', ARGV[3], 'warm_until', ARGV[4])
settle(inbox, redis.call('ZCARD', KEYS[2]), tonumber(ARGV[2]))
return 1
