-- Many inboxes in one script; it is put in front of the scripts that take many.
--
-- KEYS     some keys for each of the inboxes, in their order. A Cluster runs a script only
--          if all of its keys are in one slot, so there it is sent for one inbox at a time
-- Result   how many inboxes, in the order given, were served before the first failure, and
--          behind that the failure, if there was one; an error, and none was served, where
--          this server takes no writes

-- each calls step with the index of the first key of each inbox.
local function each(keys, step)
  -- A write that changes nothing, since inboxes do not expire. Where there is one name for
  -- whoever is master, connections stay with a server that has become a replica. It may not
  -- say of any inbox that it is served, not even of one that it lacks, because the master may
  -- have it; and that must not look like a result, because the client leaves such a server
  -- when a whole command was refused, and stays otherwise.
  call('PERSIST', KEYS[1])
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
