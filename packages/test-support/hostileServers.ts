// HTTP servers that violate the protocol, or never end a response: each handles a raw socket.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

type Behaviour = (socket: Socket) => void;

/** Sends a text once. */
const says =
  (text: string): Behaviour =>
  (socket) =>
    void socket.write(text);

/** Sends a text again and again, as fast as the client reads. */
const floods =
  (head: string, text: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const chunk = text.repeat(Math.ceil(16_384 / text.length));
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', fill);
    fill();
  };

/** Sends a text, then a part of it every few milliseconds. */
const trickles =
  (head: string, part: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(part), 5);
    socket.on('close', () => clearInterval(timer));
  };

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

/** Servers after which only a time limit ends a request. */
export const SILENT: Readonly<Record<string, Behaviour>> = {
  'no bytes': () => {},
  'no reading': (socket) => void socket.pause(),
  '100 and no more': says('HTTP/1.1 100 Continue\r\n\r\n'),
  'a trickled status line': trickles(OK.trim(), ' '),
  'trickled headers': trickles(OK, 'X: x\r\n'),
};

/** Servers that send no complete head of a final response, and whose requests end without a time limit. */
export const WITHOUT_RESPONSE: Readonly<Record<string, Behaviour>> = {
  '101': says(`HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n`),
  '101 with bytes of another protocol': says(
    `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n${OK}Content-Length: 0\r\n\r\n`,
  ),
  '101 without Upgrade': says('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'endless 100': floods('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'endless 102': floods('', 'HTTP/1.1 102 Processing\r\n\r\n'),
  'endless 103': floods('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'),
  'trickled 103': trickles('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'a header without end': floods(`${OK}X: `, 'x'),
  'headers without end': floods(OK, 'X: x\r\n'),
  'bytes that are not HTTP': says('SSH-2.0-OpenSSH_9.9\r\n'),
  'endless bytes that are not HTTP': floods('', '\0'),
  'a close': (socket) => void socket.end(),
  'a close within the head': (socket) => void socket.end(OK),
  'a close after 103': (socket) => void socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'),
  'a reset': (socket) => void socket.resetAndDestroy(),
  'a reset within the head': (socket) => void socket.write(OK, () => socket.resetAndDestroy()),
  'two lengths': says(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`),
};

/** Servers that send a status, and a body after which only a time limit ends a request. */
export const STALLED_BODY: Readonly<Record<string, Behaviour>> = {
  'a trickled body': trickles(`${OK}\r\n`, 'x'),
  'a body that stalls': says(`${OK}Content-Length: 2\r\n\r\nx`),
  'a chunked body that stalls': says(`${CHUNKED}5\r\nx`),
};

/** Servers that send a status, and then much or nothing valid. */
export const INVALID_BODY: Readonly<Record<string, Behaviour>> = {
  'a body that never ends': floods(`${OK}\r\n`, 'x'),
  'a chunked body that never ends': floods(CHUNKED, '1\r\nx\r\n'),
  'a chunk extension that never ends': floods(`${CHUNKED}1`, ';x'),
  'trailers that never end': floods(`${CHUNKED}0\r\n`, 'X: x\r\n'),
  'a body that is cut': (socket) => void socket.end(`${OK}Content-Length: 9\r\n\r\nx`),
  'a body that is reset': (socket) =>
    void socket.write(`${OK}Content-Length: 9\r\n\r\nx`, () => socket.resetAndDestroy()),
  'chunks that are invalid': says(`${CHUNKED}zz\r\n`),
  'a response before it reads the request': (socket) => {
    socket.pause();
    socket.write(`${OK}Content-Length: 0\r\n\r\n`);
  },
  'another response after the first': says(`${OK}Content-Length: 0\r\n\r\n`.repeat(9)),
};

export interface HostileServer {
  readonly port: number;
  /** The connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): void;
}

/** @param behaviour is called when the first bytes of a request arrive */
export async function hostileServer(behaviour: Behaviour): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.once('data', () => behaviour(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
