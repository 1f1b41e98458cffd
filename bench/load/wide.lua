-- Sends the request in a file with wrk, and prints one line of JSON. Argument after `--`: the file.
function init(args)
  local file = io.open(args[1], "rb")
  text = file:read("*a")
  file:close()
end

function request()
  return text
end

function done(summary)
  local e = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%f,"failed":%d}\n', summary.requests,
    summary.duration / 1e6, e.connect + e.read + e.write + e.status + e.timeout))
end
