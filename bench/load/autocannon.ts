// Sends the requests of create.lua with autocannon and prints the same line of JSON.
import autocannon from 'autocannon';

const [url, connections, seconds, token, firstId, rest] = process.argv.slice(2);
let id = Number(firstId);

const result = await autocannon({
  url: url!,
  connections: Number(connections),
  duration: Number(seconds),
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  requests: [{ setupRequest: (request) => ({ ...request, body: `{"id":${++id},${rest}` }) }],
});

const line = {
  requests: result.requests.total,
  bytes: result.throughput.total,
  seconds: result.duration,
  p50: result.latency.p50 * 1000,
  p99: result.latency.p99 * 1000,
  failed: result.errors + result.timeouts + result.non2xx,
};
process.stdout.write(`${JSON.stringify(line)}\n`);
