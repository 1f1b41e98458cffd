// Test client: any request over a real socket, valid HTTP or not. Each response is checked against a contract.
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly isHead: boolean;
}

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer | undefined;
}

/** Throws if the contract does not declare a response. */
export type CheckResponse = (method: string, path: string, answer: Answer) => void;

export interface CheckedClient {
  /** Sends a request and checks the response. */
  call(url: string, call: Call): Promise<Answer>;
  /** Sends bytes, reads until the service closes the connection, and checks the response. */
  exchangeBytes(url: string, bytes: string | Buffer): Promise<Answer>;
}

/** @param defaultPath of calls without `path` */
export function checkedClient(check: CheckResponse, defaultPath: string): CheckedClient {
  return {
    async call(url, { path = defaultPath, method = 'POST', ...rest }) {
      const answer = await send(url, { path, method, ...rest });
      check(method, path.split('?')[0]!, answer);
      return answer;
    },
    async exchangeBytes(url, bytes) {
      const answer = parseAnswer(await readAll(openConnection(url, bytes)));
      const [method = '', path = ''] = String(bytes).split(' ', 2);
      check(method, path, answer);
      return answer;
    },
  };
}

function send(url: string, { method, path, headers = {}, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false };
    const outgoing = request(`${url}${path}`, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString(),
          isHead: method === 'HEAD',
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Opens a connection and sends bytes as they are. */
export function openConnection(url: string, bytes: string | Buffer): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(bytes);
  return socket;
}

/** @returns all that a connection gives until it closes, as text */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
}

export function parseAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body, isHead: false };
}
