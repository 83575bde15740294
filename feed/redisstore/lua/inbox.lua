-- What the scripts of this folder share; it is put in front of each of them.
--
-- KEYS[1]  the header of one inbox, a hash: state ("building" or "ready"), token,
--          generation, version, started_at, floor_ts, floor_id, count
-- KEYS[2]  its entries, a sorted set: score = publish time in milliseconds,
--          member = content id as 20 digits
--
-- Times are below 2^53 and are compared as numbers. Ids are not, and would lose
-- digits as Lua numbers: they are compared as text of equal length. Generation and
-- version are only carried, as text.

-- stored returns the header, or nil when the inbox is absent: without a header, or
-- with one that counts other than there are entries.
local function stored()
  local h = redis.call('HMGET', KEYS[1], 'state', 'token', 'generation', 'version',
    'started_at', 'floor_ts', 'floor_id', 'count')
  local count = tonumber(h[8] or '')
  if count ~= redis.call('ZCARD', KEYS[2]) then
    return nil
  end
  return {
    state = h[1], token = h[2], generation = h[3], version = h[4],
    started_at = h[5], floor_ts = h[6], floor_id = h[7], count = count,
  }
end

-- newer says whether the first key comes before the second in feed order.
local function newer(ts, id, other_ts, other_id)
  ts, other_ts = tonumber(ts), tonumber(other_ts)
  return ts > other_ts or (ts == other_ts and id > other_id)
end

-- settle ends a change that left count entries, all above the floor: it drops the
-- oldest beyond the cap, lifts the floor to the newest of those, and writes both to
-- the header.
local function settle(count, cap, floor_ts, floor_id)
  local surplus = count - cap
  if surplus > 0 then
    local gone = redis.call('ZPOPMIN', KEYS[2], surplus)
    floor_id, floor_ts = gone[#gone - 1], gone[#gone]
    count = cap
  end
  redis.call('HSET', KEYS[1], 'count', count, 'floor_ts', floor_ts, 'floor_id', floor_id)
end
