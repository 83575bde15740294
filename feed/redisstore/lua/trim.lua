-- Drops unusable inboxes, and cuts those that have grown beyond their cap.
--
-- KEYS     see each.lua; one for each inbox, see format.lua
-- ARGV[1]  the cap: how many entries an inbox keeps
-- ARGV[2]  the generation below which inboxes are dropped, in 19 digits
-- Result   see each.lua
--
-- Guarantees: an inbox is dropped only if it is of a lower generation, ready or building, or
-- cannot be an inbox; an entry that leaves an inbox raises the floor to its key; an inbox
-- within the cap is not written.

local cap, least = tonumber(ARGV[1]), ARGV[2]

return each(1, function(i)
  local key = KEYS[i]
  local length = call('STRLEN', key)
  if not fits(length) or call('GETRANGE', key, 2, 20) < least then
    call('DEL', key)
  elseif length > full(cap) then
    cut(key, cap)
  end
end)
