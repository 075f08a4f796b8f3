// The requests of the benchmark: heads as load generators, browsers and proxies send them.

const browser = `Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
Accept-Encoding: gzip, deflate, br, zstd
Accept-Language: en-GB,en;q=0.9,de;q=0.8
Cache-Control: no-cache
Cookie: session=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9; theme=dark; consent=all
Referer: http://127.0.0.1/notes?page=1
Sec-Fetch-Dest: document
Sec-Fetch-Mode: navigate
Sec-Fetch-Site: same-origin
Upgrade-Insecure-Requests: 1
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`;

const proxy = `X-Forwarded-For: 203.0.113.7
X-Forwarded-Proto: https
X-Forwarded-Host: api.example
User-Agent: curl/8.5.0
Accept: */*
Accept-Encoding: gzip`;

function toLua(fields) {
  return fields.split('\n').map((field) => {
    const [, name, value] = /^([^:]*): (.*)$/.exec(field);
    return `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`;
  });
}

/** By name: the script that `wrk` runs. */
export const scenarios = {
  get: [],
  browser: toLua(browser),
  proxy: [
    ...toLua(proxy),
    'counter = 0',
    'request = function()',
    '  counter = counter + 1',
    '  wrk.headers["X-Request-Id"] = string.format("%032x", counter)',
    '  wrk.headers["Traceparent"] = string.format("00-%032x-%016x-01", counter, counter)',
    '  return wrk.format()',
    'end',
  ],
  post: [
    'wrk.method = "POST"',
    'wrk.headers["Content-Type"] = "application/json"',
    'wrk.body = [[{"title":"a note","text":"some text in it","tags":["one","two"],"done":false}]]',
  ],
  rows: ['wrk.path = "/rows"'],
  pipelined: [
    'init = function()',
    '  local all = {}',
    '  for i = 1, 10 do all[i] = wrk.format() end',
    '  whole = table.concat(all)',
    'end',
    'request = function() return whole end',
  ],
};
