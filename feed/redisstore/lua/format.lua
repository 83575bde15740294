-- The storage format of an inbox; it follows order.lua.
--
-- KEYS[1]  one inbox, a string: a head of 114 bytes, and then records in ascending order. The
--          first record is the inbox's floor, the others are its entries. So an inbox without
--          entries has one record, and wherever an inbox is cut, the first record left is the
--          new floor
--
-- An inbox keeps up to a quarter more entries than the cap, so that not every push rewrites it.
-- Entries beyond the cap are not part of the inbox, and the newest of them is its floor.

local HEAD = 114
local call = redis.call

-- fits returns whether a string of that length can be an inbox.
local function fits(length)
  return length >= HEAD + WIDTH and (length - HEAD) % WIDTH == 0
end

-- records returns the records from index first to index last, counted from 0.
local function records(key, first, last)
  return call('GETRANGE', key, HEAD + WIDTH * first, HEAD + WIDTH * last + WIDTH - 1)
end

-- WINDOW is how many records a search fetches at once: a kilobyte, which costs about as much as
-- another step.
local WINDOW = 64

-- search returns the index of the first record that is not older than r, from low to just below
-- high, and high if all are older.
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

-- full returns the length above which an inbox is cut.
local function full(cap)
  return HEAD + WIDTH * (1 + cap + floor(cap / 4))
end

-- cut drops the entries beyond the cap from an inbox that has more of them.
local function cut(key, cap)
  call('SET', key, call('GETRANGE', key, 0, HEAD - 1) .. call('GETRANGE', key, -WIDTH * (cap + 1), -1))
end
