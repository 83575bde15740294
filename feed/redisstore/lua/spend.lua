-- Takes something out of a bucket that fills up evenly. It stands alone, without
-- inbox.lua. All times are in microseconds, by the clock of this server, so that the
-- clocks of those who ask need not agree.
--
-- KEYS[1]  when the bucket will be full, in decimal; no key is full already
-- ARGV[1]  how long the bucket takes to fill in again what is to be taken
-- ARGV[2]  how long it takes to fill up from empty
-- Result   how long it takes to fill up now, and how long to wait for what was to be
--          taken: 0 when it was, and then the first number is the one after
--
-- Guarantees: of many who take together no more is taken than there is; when the second
-- number is not 0 nothing has changed; the key expires when the bucket is full.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local take, window = tonumber(ARGV[1]), tonumber(ARGV[2])
-- A server that took over may have an earlier clock than the one before it.
local missing = math.min(window, math.max(0, (tonumber(redis.call('GET', KEYS[1])) or 0) - now))
local after = missing + take
if after > window then
  return {missing, after - window}
end
redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.ceil(after / 1000))
return {after, 0}
