-- Replaces the upcoming and live sessions of a host. It runs without inbox.lua.
--
-- KEYS[1]  the host's set, a sorted set. The member with the infinite score is "number:" and
--          the number of the last transition in the set. The others are sessions: the score is
--          the start in milliseconds of a live one, or the negative planned start of an
--          upcoming one; the member is the id as 20 digits
-- ARGV[1]  the number to write, in decimal
-- ARGV[2]  the lifetime of the set, in milliseconds
-- ARGV[3..] the sessions: score and id in turn, in any order
-- Result   1 if the set was replaced, 0 if the stored one has the same number or a higher one
--
-- Guarantees: numbers compare as text, so no digits are lost; a set without a number counts as
-- none; if the result is 0 nothing has changed.

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
