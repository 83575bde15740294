-- Replaces an inbox by an empty one that is building.
--
-- KEYS     see inbox.lua
-- ARGV[1]  the build's token
-- ARGV[2]  the generation it begins under
-- ARGV[3]  the time it began at, in milliseconds
-- ARGV[4]  a running build that began at or before this time has died
-- Result   1 when the build may go on, 0 when another is running
--
-- Guarantees: of builds that begin at once one is let through; when the result is 0
-- nothing has changed.

local inbox = stored()
if inbox and inbox.state == 'building' and tonumber(inbox.started_at) > tonumber(ARGV[4]) then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'state', 'building', 'token', ARGV[1], 'generation', ARGV[2],
  'version', '0', 'warm_until', '0', 'started_at', ARGV[3], 'floor_ts', '0',
  'floor_id', '00000000000000000000', 'count', '0')
return 1
