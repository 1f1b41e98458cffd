// An open loop: creates arrive at a given rate whether or not the service keeps up, as those of many
// independent callers do. One request at a time on each of many kept connections; an arrival that
// finds all of them waiting for an answer is not sent, and counted. Prints one line of JSON.
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

const [url, connections, seconds, rate, token, firstId, rest] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url!);
const HEAD = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: `;
const TICK_MS = 1;
/** How long the last answers are waited for. */
const TAIL_MS = 3000;

interface Connection {
  readonly socket: Socket;
  /** When the request on its way was due. */
  dueAt: number;
}

const latencies: Record<'good' | 'shed', number[]> = { good: [], shed: [] };
const counts = { offered: 0, sent: 0, other: 0, unsent: 0 };
/** First in, first out, so that every connection is used. */
const idle: Connection[] = [];
let taken = 0;
let id = Number(firstId);

await Promise.all(Array.from({ length: Number(connections) }, open));
const startedAt = performance.now();
const utilization = performance.eventLoopUtilization();
const timer = setInterval(send, TICK_MS);
setTimeout(() => {
  clearInterval(timer);
  const { utilization: busy } = performance.eventLoopUtilization(utilization);
  setTimeout(() => tell(busy), TAIL_MS);
}, Number(seconds) * 1000);

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, resolve).on('error', reject);
    const connection: Connection = { socket, dueAt: 0 };
    socket.setNoDelay(true).on('data', (chunk: Buffer) => receive(connection, chunk));
    idle.push(connection);
  });
}

function send(): void {
  const due = Math.floor(((performance.now() - startedAt) / 1000) * Number(rate));
  while (counts.offered < due) {
    const dueAt = startedAt + (counts.offered++ / Number(rate)) * 1000;
    const connection = idle[taken];
    if (connection === undefined) {
      counts.unsent++;
      continue;
    }
    taken++;
    connection.dueAt = dueAt;
    const body = `{"id":${++id},${rest}`;
    connection.socket.write(`${HEAD}${body.length}\r\n\r\n${body}`);
    counts.sent++;
  }
  idle.splice(0, taken);
  taken = 0;
}

/** An answer is small, and comes whole. */
function receive(connection: Connection, chunk: Buffer): void {
  const status = chunk.toString('latin1', 9, 12);
  const latency = performance.now() - connection.dueAt;
  if (status === '200') latencies.good.push(latency);
  else if (status === '503') latencies.shed.push(latency);
  else counts.other++;
  idle.push(connection);
}

function tell(busy: number): void {
  const { good, shed } = latencies;
  const [p50, p99] = [percentile(good, 0.5), percentile(good, 0.99)];
  const line = { ...counts, good: good.length, shed: shed.length, p50, p99, busy };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exit();
}

function percentile(values: number[], share: number): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
