// Sends creates at a constant rate, independent of the responses, and prints one line of JSON.
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

const [url, connections, seconds, rate, token, firstId, rest] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url!);
const HEAD = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: `;
const TICK_MS = 1;
/** Wait for the last responses. */
const TAIL_MS = 3000;

interface Connection {
  readonly socket: Socket;
  /** Scheduled time of the request in flight. */
  dueAt: number;
}

const latencies: Record<'good' | 'shed', number[]> = { good: [], shed: [] };
const counts = { offered: 0, sent: 0, other: 0, unsent: 0 };
/** First in, first out: every connection is used. */
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
  setTimeout(() => printResult(busy), TAIL_MS);
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

/** A response is small and arrives in one chunk. */
function receive(connection: Connection, chunk: Buffer): void {
  const status = chunk.toString('latin1', 9, 12);
  const latency = performance.now() - connection.dueAt;
  if (status === '200') latencies.good.push(latency);
  else if (status === '503') latencies.shed.push(latency);
  else counts.other++;
  idle.push(connection);
}

function printResult(busy: number): void {
  const { good, shed } = latencies;
  const [p50, p99] = [percentile(good, 0.5), percentile(good, 0.99)];
  const line = { ...counts, good: good.length, shed: shed.length, p50, p99, busy };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exit();
}

function percentile(values: number[], share: number): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
