-- Replaces what a host has upcoming and live. It stands alone, without inbox.lua.
--
-- KEYS[1]  the host's set, a sorted set. The member of the highest score, which is
--          infinite, is "number:" and the number of the last transition that the set knows
--          of. The others are sessions: score = start in milliseconds of what is live, and
--          below zero the planned start of what is upcoming, member = id as 20 digits
-- ARGV[1]  the number to write, in decimal
-- ARGV[2]  for how long to keep the set, in milliseconds
-- ARGV[3..] the sessions: score and id in turn, in any order
-- Result   1 when the set was replaced, 0 when the one that is there has the same number
--          or a higher one
--
-- Guarantees: numbers are compared as text, so none loses digits; a set without a number
-- counts as none; when the result is 0 nothing has changed.

local first = redis.call('ZREVRANGE', KEYS[1], 0, 0)[1] or ''
local number = string.match(first, '^number:(%d+)$')
if number and (#number > #ARGV[1] or (#number == #ARGV[1] and number >= ARGV[1])) then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('ZADD', KEYS[1], '+inf', 'number:' .. ARGV[1])
for i = 3, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
