// Cancels the running statement of a connection with a CancelRequest.
import { connect } from 'node:net';

/** The server process of a connection, and its BackendKeyData. */
export interface Backend {
  /** A host name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Null until the server has accepted the connection. */
  readonly processID: number | null;
  readonly secretKey: number;
}

const TIMEOUT_MS = 1_000;
const CANCEL_REQUEST_CODE = 80877102;

/**
 * Resolves after the server has received the request, at the latest after TIMEOUT_MS; never rejects. The
 * server does not report whether a statement was cancelled
 * (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS).
 */
export function cancelStatement({ host, port, processID, secretKey }: Backend): Promise<void> {
  if (processID === null) return Promise.resolve();
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  return new Promise((resolve) => {
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    // The server closes the connection without a response.
    socket.on('error', () => {}).on('close', () => resolve());
    socket.resume().end(request);
  });
}
