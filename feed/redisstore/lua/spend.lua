-- Takes something out of buckets that fill up evenly. It stands alone, without
-- inbox.lua. All times are in microseconds, by the clock of this server, so that the
-- clocks of those who ask need not agree.
--
-- KEYS       when each bucket will be full, in decimal; no key is full already
-- ARGV[1]    how long a bucket takes to fill up from empty
-- ARGV[1+i]  how long bucket i takes to fill in again what is to be taken out of it
-- Result     two numbers for each bucket: how long it takes to fill up now, and how long to
--            wait for what was to be taken: 0 when it was, and then the first number is
--            the one after
--
-- Guarantees: of many who take together no more is taken than there is; when the second
-- number is not 0 nothing has changed; a key expires some seconds after its bucket is full.

-- KEPT is how long, in milliseconds, a key stays when it says nothing any more: whoever is
-- reading spends again soon, and to write over a key takes less than to drop one and to make
-- another.
local KEPT = 5000

local call, format = redis.call, string.format
local time = call('TIME')
local now, window = tonumber(time[1]) * 1000000 + tonumber(time[2]), tonumber(ARGV[1])
local said = {}
for i = 1, #KEYS do
  -- A server that took over may have an earlier clock than the one before it.
  local missing = math.min(window, math.max(0, (tonumber(call('GET', KEYS[i])) or 0) - now))
  local after = missing + tonumber(ARGV[1 + i])
  if after > window then
    said[2 * i - 1], said[2 * i] = missing, after - window
  else
    call('SET', KEYS[i], format('%.0f', now + after), 'PX', format('%.0f', math.ceil(after / 1000) + KEPT))
    said[2 * i - 1], said[2 * i] = after, 0
  end
end
return said
