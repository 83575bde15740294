-- Reads a stream after a position.
--
-- KEYS[1]  the stream
-- ARGV     the position, or an empty text; the identity that the stream should have, or an empty
--          text; an identity to give it if it has none; how many entries there are from the position
--          of the last call to this one, or -1; the maximum number of entries and of bytes; the size
--          up to which payloads are returned whole, and how much of longer ones is returned
--
-- The identity is the name of a consumer group that reads nothing. It is part of the stream, so it
-- survives restarts and restores, and a stream that is created again has another one. Its
-- entries-read is the number of entries ever added up to its last-delivered-id, a past position.
-- It shows whether trimmed entries had been read: trims do not change max-deleted-entry-id.
--
-- Returns an empty list if there is no stream, else: the identity; max-deleted-entry-id;
-- last-generated-id; the number of entries ever added up to the position, or -1; how many were
-- removed; 1 if the entry at the position is there; 1 if there are no further entries; how many
-- follow those that are returned, or -1; and the entries. An entry is its id, the size of its payload (-1 if it has none), the payload, and its
-- other fields.
local key, after, expected, new, passed = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local entries_max, bytes_max, whole, kept = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])

if redis.call('EXISTS', key) == 0 then
  return {}
end

local function field(list, name)
  for i = 1, #list, 2 do
    if list[i] == name then
      return list[i + 1]
    end
  end
  return ''
end

local info = redis.call('XINFO', 'STREAM', key)
local deleted, last = field(info, 'max-deleted-entry-id'), field(info, 'last-generated-id')
local added = field(info, 'entries-added')
if deleted == '' then
  return {'', '', last, -1, 0, 0, 0, -1, {}}
end
local removed = added - field(info, 'length')

local identity, delivered, read = '', '', -1
for _, group in ipairs(redis.call('XINFO', 'GROUPS', key)) do
  local name = field(group, 'name')
  if string.sub(name, 1, 9) == 'tideline:' then
    identity, delivered, read = name, field(group, 'last-delivered-id'), field(group, 'entries-read') or -1
  end
end
if identity == '' and expected == '' then
  redis.call('XGROUP', 'CREATE', key, new, '0', 'ENTRIESREAD', removed)
  identity, delivered, read = new, '0-0', removed
end

local there = 1
if after ~= '' then
  there = #redis.call('XRANGE', key, after, after, 'COUNT', 1)
  if identity ~= expected then
    return {identity, deleted, last, -1, removed, there, 0, -1, {}}
  end
  local count = read
  if after == last then
    count = added
  elseif after ~= delivered then
    count = (there == 1 and passed >= 0 and read >= 0) and read + passed or -1
  end
  if (there == 1 or after == last) and (after ~= delivered or count ~= read) then
    redis.call('XGROUP', 'SETID', key, identity, after, 'ENTRIESREAD', count)
  end
  read = count
end

local chunk = 10
local entries, bytes, ended = {}, 0, 0
local function waiting()
  local before = after == '' and removed or read
  return before < 0 and -1 or math.max(0, added - before - #entries)
end
local from = after == '' and '-' or '(' .. after
while ended == 0 and #entries < entries_max and bytes < bytes_max do
  local got = redis.call('XRANGE', key, from, '+', 'COUNT', chunk)
  for _, e in ipairs(got) do
    local out, size, payload = {e[1]}, -1, ''
    for i = 1, #e[2], 2 do
      local name, value = e[2][i], e[2][i + 1]
      if name == 'data' and size == -1 then
        size = #value
        payload = size > whole and string.sub(value, 1, kept) or value
      else
        table.insert(out, name)
        table.insert(out, string.sub(value, 1, kept))
      end
    end
    table.insert(out, 2, size)
    table.insert(out, 3, payload)
    if #entries > 0 and bytes + #payload > bytes_max then
      return {identity, deleted, last, read, removed, there, 0, waiting(), entries}
    end
    table.insert(entries, out)
    bytes = bytes + #payload
    from = '(' .. e[1]
  end
  if #got < chunk then
    ended = 1
  end
end
return {identity, deleted, last, read, removed, there, ended, waiting(), entries}
