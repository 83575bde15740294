-- Where things stand in an inbox; it is put behind order.lua.
--
-- KEYS[1]  one inbox, a string: a head of 114 bytes, and behind it records in ascending
--          order. The first is the inbox's floor, the others are its entries. So an inbox
--          without entries ends with a record too, and whatever record an inbox is cut at
--          is its new floor
--
-- Up to a quarter more entries are kept than the cap, so that inboxes are not written anew
-- with every push. Those beyond the cap are not part of the inbox, and the newest of them
-- is its floor.

local HEAD = 114
local call = redis.call

-- fits says whether a string of that length can be an inbox.
local function fits(length)
  return length >= HEAD + WIDTH and (length - HEAD) % WIDTH == 0
end

-- records returns the records from index first to index last, of which 0 is the first.
local function records(key, first, last)
  return call('GETRANGE', key, HEAD + WIDTH * first, HEAD + WIDTH * last + WIDTH - 1)
end

-- WINDOW is how many records are fetched at once when one is looked for: a kilobyte, which
-- costs about as much as one more step would.
local WINDOW = 64

-- search returns the index of the first record that is not older than r, of those from low
-- to just below high, and high when all are older.
local function search(key, r, low, high)
  while high - low > WINDOW do
    local middle = floor((low + high) / 2)
    if older(records(key, middle, middle), 1, r, 1) then
      low = middle + 1
    else
      high = middle
    end
  end
  if low == high then
    return high
  end
  return low + place(records(key, low, high - 1), r)
end

-- full returns the length of the longest inbox that is not to be cut.
local function full(cap)
  return HEAD + WIDTH * (1 + cap + floor(cap / 4))
end

-- cut drops what is beyond the cap from an inbox that has more than that many entries.
local function cut(key, cap)
  call('SET', key, call('GETRANGE', key, 0, HEAD - 1) .. call('GETRANGE', key, -WIDTH * (cap + 1), -1))
end
