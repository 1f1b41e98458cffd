-- Sends POST /plants with wrk, each with a new id, and prints one line of JSON.
-- Arguments after `--`: the first id and the body after the id. Latencies are in microseconds.
local threads = 0

function setup(thread)
  thread:set("offset", threads * 1e10)
  threads = threads + 1
end

function init(args)
  id = tonumber(args[1]) + offset
  rest = args[2]
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  id = id + 1
  return wrk.format(nil, nil, nil, string.format('{"id":%.0f,%s', id, rest))
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"bytes":%d,"seconds":%f,"p50":%f,"p99":%f,"failed":%d}\n',
    summary.requests, summary.bytes, summary.duration / 1e6,
    latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
