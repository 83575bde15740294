-- Many inboxes in one script; it is put in front of the scripts that take many.
--
-- KEYS     some keys for each of the inboxes, in their order. A Cluster runs a script only
--          if all of its keys are in one slot, so there it is sent for one inbox at a time
-- Result   how many inboxes, in the order given, were served before the first failure, and
--          behind that the failure, if there was one

-- each calls step with the index of the first key of each inbox.
local function each(keys, step)
  local served = 0
  local ok, failure = pcall(function()
    for i = 1, #KEYS, keys do
      step(i)
      served = served + 1
    end
  end)
  if ok then
    return {served}
  end
  return {served, type(failure) == 'table' and failure.err or failure}
end
