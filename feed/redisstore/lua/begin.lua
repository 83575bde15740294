-- Replaces an inbox by an empty one that is building.
--
-- KEYS     see layout.lua
-- ARGV[1]  the new inbox as it is to be stored
-- ARGV[2]  a running build that began at or before this time, in 19 digits, has died
-- Result   1 when the build may go on, 0 when another is running
--
-- Guarantees: of builds that begin at once one is let through; when the result is 0
-- nothing has changed.

local inbox = stored(KEYS[1])
if inbox and inbox.state == 'b' and inbox.started_at > ARGV[2] then
  return 0
end
call('SET', KEYS[1], ARGV[1])
return 1
