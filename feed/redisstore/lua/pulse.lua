-- Replaces a number by another one. It runs without inbox.lua.
--
-- KEYS[1]  the pulse of one server: a whole number from 0 in decimal; no key is 0
-- ARGV[1]  the expected number
-- ARGV[2]  the number to write
-- Result   1 if it was written, 0 if the expected number is not there
--
-- Guarantees: numbers compare as text, so no digits are lost; of concurrent calls that expect
-- the same number one succeeds; if the result is 0 nothing has changed.

if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
