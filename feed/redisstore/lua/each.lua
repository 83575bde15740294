-- Runs a step for many inboxes; it precedes the scripts that take many.
--
-- KEYS     the same number of keys for each inbox, in order. A Cluster runs a script only if
--          all keys are in one slot, so there each call has one inbox
-- Result   how many inboxes, in the order given, were served before the first failure, and
--          then the failure if there was one; an error if this server takes no writes

-- each calls step with the index of the first key of each inbox.
local function each(keys, step)
  -- A write that changes nothing, since inboxes do not expire. A connection may still be open to
  -- a server that has become a replica. Such a server must not report an inbox as served, not
  -- even a missing one, because the master may have it. The whole command must fail, because only
  -- then the client leaves the server.
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
