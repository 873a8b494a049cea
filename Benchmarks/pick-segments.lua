-- wrk: a random one of the paths in the file that SEGMENTS names, for each request.
local paths = {}
for line in io.lines(os.getenv("SEGMENTS")) do
  paths[#paths + 1] = line
end
local requests = {}

function init()
  -- Each thread has its own generator and its own requests, formatted once.
  math.randomseed(os.time() + tonumber(tostring({}):sub(8)))
  for index, path in ipairs(paths) do
    requests[index] = wrk.format("GET", path)
  end
end

function request()
  return requests[math.random(#requests)]
end
