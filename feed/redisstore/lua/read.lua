-- Reads the header and the entries of one range.
--
-- KEYS     see inbox.lua
-- ARGV[1]  'descending' or 'ascending'
-- ARGV[2]  the bound the range starts from, exclusive: publish time in milliseconds
-- ARGV[3]  and content id as 20 digits; Below when descending, Above when ascending
-- ARGV[4]  the bound it ends at, exclusive: publish time
-- ARGV[5]  and content id
-- ARGV[6]  how many entries at most
-- Result   empty when the inbox is absent; else state, token, generation, version,
--          warm_until, floor_ts, floor_id, count, and then content id and publish
--          time of each entry in turn, all as text
--
-- Guarantees: header and entries are of one moment. The entries touched are those
-- returned and those in the two milliseconds of the bounds: a sorted set can start
-- a range at a score but not inside one, so the ties of the first bound are read by
-- themselves, and the rest by score with a limit.

local inbox = stored()
if not inbox then
  return {}
end

local descending = ARGV[1] == 'descending'
local from_ts, from_id, to_ts, to_id = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local limit = tonumber(ARGV[6])
local command = descending and 'ZREVRANGEBYSCORE' or 'ZRANGEBYSCORE'
local result = {
  inbox.state, inbox.token, inbox.generation, inbox.version,
  inbox.warm_until, inbox.floor_ts, inbox.floor_id, tostring(inbox.count),
}

-- before says whether the first key comes before the second in the range's direction.
local function before(ts, id, other_ts, other_id)
  if descending then
    return newer(ts, id, other_ts, other_id)
  end
  return newer(other_ts, other_id, ts, id)
end

-- take appends those of the entries that lie between the bounds, up to the limit.
local function take(entries)
  for i = 1, #entries, 2 do
    local id, ts = entries[i], entries[i + 1]
    if limit > 0 and before(from_ts, from_id, ts, id) and before(ts, id, to_ts, to_id) then
      result[#result + 1], result[#result + 2] = id, ts
      limit = limit - 1
    end
  end
end

take(redis.call(command, KEYS[2], from_ts, from_ts, 'WITHSCORES'))
if limit > 0 then
  take(redis.call(command, KEYS[2], '(' .. from_ts, to_ts, 'WITHSCORES', 'LIMIT', 0, limit))
end
return result
