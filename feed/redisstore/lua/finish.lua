-- Adds what a build found to what was pushed meanwhile, and makes the inbox ready.
--
-- KEYS     see inbox.lua
-- ARGV[1]  the build's token
-- ARGV[2]  the relations version the inbox is complete up to
-- ARGV[3]  the cap: how many entries an inbox keeps
-- ARGV[4]  the floor of the build: publish time in milliseconds
-- ARGV[5]  and content id as 20 digits
-- ARGV[6..] the keys found: publish time and content id in turn, in any order
-- Result   1 when the inbox is ready, 0 when it is not building under the token
--
-- Guarantees: the floor is the highest of the inbox's, the build's and the newest
-- entry that was trimmed; nothing at or below it stays; when the result is 0 nothing
-- has changed.

local inbox = stored()
if not inbox or inbox.state ~= 'building' or inbox.token ~= ARGV[1] then
  return 0
end

local floor_ts, floor_id = inbox.floor_ts, inbox.floor_id
if newer(ARGV[4], ARGV[5], floor_ts, floor_id) then
  floor_ts, floor_id = ARGV[4], ARGV[5]
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. floor_ts)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], floor_ts, floor_ts)) do
    if id <= floor_id then
      redis.call('ZREM', KEYS[2], id)
    end
  end
end

for i = 6, #ARGV, 2 do
  if newer(ARGV[i], ARGV[i + 1], floor_ts, floor_id) then
    redis.call('ZADD', KEYS[2], 'NX', ARGV[i], ARGV[i + 1])
  end
end
redis.call('HSET', KEYS[1], 'state', 'ready', 'version', ARGV[2])
settle(redis.call('ZCARD', KEYS[2]), tonumber(ARGV[3]), floor_ts, floor_id)
return 1
