-- Writes a number in place of another one. It stands alone, without inbox.lua.
--
-- KEYS[1]  the pulse of one server: a whole number from 0 in decimal; no key is 0
-- ARGV[1]  the number that must stand there
-- ARGV[2]  the one to write
-- Result   1 when it was written, 0 when another number stands there
--
-- Guarantees: numbers are compared as text, so none loses digits; of many who replace
-- the same number by different ones one is let through; when the result is 0 nothing
-- has changed.

if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
