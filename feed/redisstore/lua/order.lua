-- Records and their order; it precedes every script on inboxes.
--
-- A record is a key in 14 bytes: the publish time in milliseconds in 6 and the post id in 8,
-- highest byte first, so the order of bytes is the order of keys. Lua's string comparison depends
-- on the server's locale, and an id has more digits than a Lua number. So the time is compared as
-- one number and the id as two.

local WIDTH = 14
local byte, floor = string.byte, math.floor

-- time returns the publish time of the record at byte i of s.
local function time(s, i)
  local a, b, c, d, e, f = byte(s, i, i + 5)
  return ((((a * 256 + b) * 256 + c) * 256 + d) * 256 + e) * 256 + f
end

-- id returns the upper and the lower half of its post id.
local function id(s, i)
  local a, b, c, d, e, f, g, h = byte(s, i + 6, i + 13)
  return ((a * 256 + b) * 256 + c) * 256 + d, ((e * 256 + f) * 256 + g) * 256 + h
end

-- older returns whether the record at byte i of s is older than the one at byte j of r.
local function older(s, i, r, j)
  local a, b = time(s, i), time(r, j)
  if a ~= b then
    return a < b
  end
  local a_high, a_low = id(s, i)
  local b_high, b_low = id(r, j)
  return a_high < b_high or (a_high == b_high and a_low < b_low)
end

-- place returns how many of the records in s, in ascending order, are older than the record r.
local function place(s, r)
  local low, high = 0, #s / WIDTH
  while low < high do
    local middle = floor((low + high) / 2)
    if older(s, WIDTH * middle + 1, r, 1) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- above returns the records in s that are newer than r.
local function above(s, r)
  local first = WIDTH * place(s, r) + 1
  if string.sub(s, first, first + WIDTH - 1) == r then
    first = first + WIDTH
  end
  return string.sub(s, first)
end

-- merged returns the records of two lists in order, without duplicates.
local function merged(own, added)
  local out, i, j = {}, 1, 1
  while i <= #own and j <= #added do
    local record = string.sub(own, i, i + WIDTH - 1)
    if older(own, i, added, j) then
      i = i + WIDTH
    else
      local new = string.sub(added, j, j + WIDTH - 1)
      if new == record then
        i = i + WIDTH
      end
      record, j = new, j + WIDTH
    end
    out[#out + 1] = record
  end
  return table.concat(out) .. string.sub(own, i) .. string.sub(added, j)
end
