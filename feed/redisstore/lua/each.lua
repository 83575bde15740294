-- Many inboxes in one script; it is put in front of the scripts that take many.
--
-- KEYS     some keys for each of the inboxes, in their order. A Cluster runs a script only
--          if all of its keys are in one slot, so there it is sent for one inbox at a time
-- Result   how many inboxes, in the order given, were served before the first failure, and
--          behind that the failure, if there was one

-- each calls step with the index of the first key of each inbox.
local function each(keys, step)
  for i = 1, #KEYS, keys do
    local ok, failure = pcall(step, i)
    if not ok then
      return {(i - 1) / keys, type(failure) == 'table' and failure.err or failure}
    end
  end
  return {#KEYS / keys}
end
