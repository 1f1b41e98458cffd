// HTTP as a test needs it: any request over a real socket, well-formed or not; every answer to it
// is held against the contract, so that no test can forget.
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { assertDeclared } from './contract.ts';

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

/** Sends one request; @returns its answer, once it has been found to be a declared one. */
export function call(url: string, { method = 'POST', path = '/plants', headers = {}, body }: Call) {
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const answer = {
          status: incoming.statusCode!,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString(),
          isHead: method === 'HEAD',
        };
        try {
          assertDeclared(method, path.split('?')[0]!, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
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

/** Sends bytes and waits for the service to close; @returns its answers, the Error body checked. */
export async function exchangeBytes(url: string, bytes: string | Buffer): Promise<Answer> {
  const text = await readAll(openConnection(url, bytes));
  const answer = parseAnswer(text);
  const [method = '', path = ''] = String(bytes).split(' ', 2);
  assertDeclared(method, path, answer);
  return answer;
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
