-- What the scripts of this folder share; it is put in front of each of them.
--
-- KEYS[1]  the header of one inbox, a hash: state ("building" or "ready"), token,
--          generation, version, warm_until, started_at, floor_ts, floor_id, count
-- KEYS[2]  its entries, a sorted set: score = publish time in milliseconds,
--          member = content id as 20 digits
--
-- Publish times are below 2^53 and are compared as numbers. Ids, generation, version
-- and warm_until would lose digits as Lua numbers: they are carried and compared as
-- text. Headers of versions before there was a warm_until lack it, and have never
-- been warm.

-- stored returns the header, or nil when the inbox is absent: without a header, or
-- with one that counts other than there are entries.
local function stored()
  local h = redis.call('HMGET', KEYS[1], 'state', 'token', 'generation', 'version',
    'started_at', 'floor_ts', 'floor_id', 'count', 'warm_until')
  local count = tonumber(h[8] or '')
  if count ~= redis.call('ZCARD', KEYS[2]) then
    return nil
  end
  return {
    state = h[1], token = h[2], generation = h[3], version = h[4],
    started_at = h[5], floor_ts = h[6], floor_id = h[7], count = count,
    warm_until = h[9] or '0',
  }
end

-- newer says whether the first key comes before the second in feed order.
local function newer(ts, id, other_ts, other_id)
  ts, other_ts = tonumber(ts), tonumber(other_ts)
  return ts > other_ts or (ts == other_ts and id > other_id)
end

-- lower compares two whole numbers from 0, in decimal without leading zeros.
local function lower(a, b)
  return #a < #b or (#a == #b and a < b)
end

-- raise lifts the inbox's floor to the given key, if that is higher, and drops the
-- entries that are not above it.
local function raise(inbox, ts, id)
  if not newer(ts, id, inbox.floor_ts, inbox.floor_id) then
    return
  end
  inbox.floor_ts, inbox.floor_id = ts, id
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. ts)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], ts, ts)) do
    if member <= id then
      redis.call('ZREM', KEYS[2], member)
    end
  end
end

-- add adds the keys that are above the inbox's floor: publish time and content id in
-- turn, from ARGV[first] to ARGV[last].
local function add(inbox, first, last)
  for i = first, last, 2 do
    if newer(ARGV[i], ARGV[i + 1], inbox.floor_ts, inbox.floor_id) then
      redis.call('ZADD', KEYS[2], 'NX', ARGV[i], ARGV[i + 1])
    end
  end
end

-- settle ends a change that left count entries, all above the inbox's floor: it drops
-- the oldest beyond the cap, lifts the floor to the newest of those, and writes both
-- to the header.
local function settle(inbox, count, cap)
  local surplus = count - cap
  if surplus > 0 then
    local gone = redis.call('ZPOPMIN', KEYS[2], surplus)
    inbox.floor_id, inbox.floor_ts = gone[#gone - 1], gone[#gone]
    count = cap
  end
  redis.call('HSET', KEYS[1], 'count', count, 'floor_ts', inbox.floor_ts, 'floor_id', inbox.floor_id)
end
