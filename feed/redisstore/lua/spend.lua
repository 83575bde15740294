-- Takes from buckets that refill evenly. It runs without inbox.lua. All times are in
-- microseconds on this server's clock, so the clocks of clients do not matter.
--
-- KEYS       when each bucket will be full, in decimal; no key means full
-- ARGV[1]    how long an empty bucket takes to refill
-- ARGV[1+i]  how long bucket i takes to refill the cost
-- Result     two numbers for each bucket: how long it takes to refill, and how long to wait
--            for the cost: 0 if it was taken, and then the first number is the one afterwards
--
-- Guarantees: concurrent calls never take more than there is; if the second number is not 0
-- nothing has changed; a key expires some seconds after its bucket is full.

-- KEPT is how long, in milliseconds, a key outlives its use: an active client spends again soon,
-- and overwriting a key is cheaper than deleting and creating one.
local KEPT = 5000

local call, format = redis.call, string.format
local time = call('TIME')
local now, window = tonumber(time[1]) * 1000000 + tonumber(time[2]), tonumber(ARGV[1])
local said = {}
for i = 1, #KEYS do
  -- After a failover the clock may be earlier.
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
