-- Replaces an inbox by an empty one that is building.
--
-- KEYS     see format.lua
-- ARGV[1]  the new inbox in stored form
-- ARGV[2]  a build that began at or before this time, in 19 digits, counts as dead
-- Result   1 if the build may go on, 0 if another one is running
--
-- Guarantees: of concurrent builds one succeeds; if the result is 0 nothing has changed.

local inbox = stored(KEYS[1])
if inbox and inbox.state == 'b' and inbox.started_at > ARGV[2] then
  return 0
end
call('SET', KEYS[1], ARGV[1])
return 1
