// Opens requests to the service, on connections that are kept alive.

import * as http from 'node:http';
import * as https from 'node:https';
import { originForm } from 'stubwright/internals';
import { gatewayFields } from './gatewayHeaders.ts';
import { framingOf } from './headers.ts';
import { authorityOf } from './requestTarget.ts';

/** Common proxies accept 8 to 64 KiB. */
export const MAX_HEADER_BYTES = 64 * 1024;

export interface UpstreamOptions {
  /** True to accept any certificate of the service; false by default. */
  readonly isInsecure?: boolean | undefined;
}

interface OpenOptions {
  /** True to forward `Expect`. */
  readonly expects?: boolean;
  /** True to ask for a WebSocket. */
  readonly isWebSocket?: boolean;
}

export class Upstream {
  readonly #target: URL;
  readonly #agent: http.Agent;
  /** The path of the target, without a trailing slash. */
  readonly basePath: string;

  /** @param target the root of the service */
  constructor(target: URL, { isInsecure = false }: UpstreamOptions = {}) {
    this.#target = target;
    this.#agent =
      target.protocol === 'https:'
        ? new https.Agent({ keepAlive: true, rejectUnauthorized: !isInsecure })
        : new http.Agent({ keepAlive: true });
    this.basePath = target.pathname.replace(/\/+$/, '');
  }

  get origin(): string {
    return this.#target.origin;
  }

  /** @returns a request with the head of another, without body */
  open(
    request: http.IncomingMessage,
    { expects = false, isWebSocket = false }: OpenOptions = {},
  ): http.ClientRequest {
    const { protocol, hostname, port, host } = this.#target;
    const target = originForm(request.url ?? '');
    const opened = (protocol === 'https:' ? https : http).request({
      agent: this.#agent,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method: request.method,
      path: target === '*' ? '*' : this.basePath + target,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    opened.maxHeadersCount = 0;
    // Node would add Transfer-Encoding to a POST without a body.
    opened.useChunkedEncodingByDefault = false;
    const fields = [...gatewayFields(request, host, authorityOf(request)), ...framingOf(request)];
    for (const [key, same] of Map.groupBy(fields, ([name]) => name.toLowerCase())) {
      if (key === 'expect' && !expects) continue;
      const values = same.map(([, value]) => value);
      opened.setHeader(same[0]![0], values.length === 1 ? values[0]! : values);
    }
    if (isWebSocket) opened.setHeader('Connection', 'Upgrade').setHeader('Upgrade', 'websocket');
    return opened;
  }

  close(): void {
    this.#agent.destroy();
  }
}
