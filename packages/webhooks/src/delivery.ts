// Sends one message over HTTP, and interprets the response.
import { lookup as resolveName } from 'node:dns';
import type * as http from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { ClaimedMessage } from './outbox.ts';
import { signatureHeaders } from './signature.ts';

/** What became of one attempt. */
export type Delivery =
  | { readonly outcome: 'delivered'; readonly status: number }
  | {
      readonly outcome: 'failed';
      /** Undefined without a response. */
      readonly status: number | undefined;
      readonly reason: string;
      /** The wait that `Retry-After` asks for. */
      readonly retryAfterMs: number | undefined;
      /** True if the receiver wants no further attempt: 410, or an address that is not allowed. */
      readonly isFinal: boolean;
    };

// An import would load undici, which takes 25 ms of each start.
const sendOver = {
  'http:': process.getBuiltinModule('node:http').request,
  'https:': process.getBuiltinModule('node:https').request,
};

export interface DeliveryOptions {
  readonly secrets: readonly string[];
  /** `public`: not to loopback, private and link-local addresses, which a caller could choose otherwise. */
  readonly addresses: 'public' | 'any';
  /** Ends the attempt. The message of its reason is the reason of a failure. */
  readonly signal: AbortSignal;
}

/** A receiver has no reason to send more. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_INFORMATIONAL_RESPONSES = 100;

/** IANA's registries of special-purpose addresses (RFC 6890). */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Teredo, documentation and 6to4, which may contain other addresses. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const SPECIAL = new BlockList();
addSubnets(SPECIAL, SPECIAL_IPV4, 'ipv4');
addSubnets(SPECIAL, SPECIAL_IPV6, 'ipv6');
/** Global unicast addresses. */
const GLOBAL = new BlockList();
addSubnets(GLOBAL, ['2000::/3'], 'ipv6');

function addSubnets(list: BlockList, networks: readonly string[], family: 'ipv4' | 'ipv6'): void {
  for (const text of networks) {
    const [network = '', prefix] = text.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
}

/** @returns false for an address that is not reachable on the public Internet */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL.check(address, 'ipv4');
  return family === 6 && GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

const NOT_PUBLIC = 'the address is not public';

/** Checks the address that is connected to, so that a name cannot resolve to another one later. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) callback(error, '', 0);
    else if (found.length === 0 || !found.every(({ address }) => isPublicAddress(address))) {
      callback(new Error(NOT_PUBLIC), '', 0);
    } else if (options.all === true) callback(null, found as never);
    else callback(null, found[0]!.address, found[0]!.family);
  });
};

/**
 * Follows no redirect. Ends when the response ends, at the latest when `signal` is aborted: its connection
 * is closed then.
 *
 * @throws nothing: each failure is a result
 */
export async function deliver(
  message: ClaimedMessage,
  { secrets, addresses, signal }: DeliveryOptions,
): Promise<Delivery> {
  const { url, method, type, body } = message;
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol))
    return failed('expected an http URL', true);
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPublic = addresses === 'public';
  if (isPublic && isIP(host) !== 0 && !isPublicAddress(host)) return failed(NOT_PUBLIC, true);
  const headers: http.OutgoingHttpHeaders = {
    ...signatureHeaders(message, secrets),
    'user-agent': 'stubwright',
    ...(type !== undefined && { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
  };
  if (signal.aborted) return failed((signal.reason as Error).message);
  const request = sendOver[target.protocol as keyof typeof sendOver](target, {
    // A connection of its own: the address of a pooled one was not checked.
    ...{ method, headers, agent: false },
    ...(isPublic && { lookup: publicLookup }),
  });
  request.end(body);
  return deliveryOf(request, signal);
}

/** Destroys the request when its result is known and its response has ended. */
async function deliveryOf(request: http.ClientRequest, signal: AbortSignal): Promise<Delivery> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let delivery: Delivery | undefined;
  let informational = 0;
  signal.addEventListener('abort', () => {
    delivery ??= failed((signal.reason as Error).message);
    end();
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    delivery ??= failed(error.code ?? error.message, error.message === NOT_PUBLIC);
    end();
  });
  // Node may close a connection without an error.
  request.on('close', end);
  request.on('information', () => {
    if (++informational <= MAX_INFORMATIONAL_RESPONSES) return;
    request.destroy(new Error(`more than ${MAX_INFORMATIONAL_RESPONSES} informational responses`));
  });
  request.on('upgrade', (response, socket) => {
    delivery ??= resultOf(response);
    socket.destroy();
    end();
  });
  request.on('response', (response) => {
    // The status is known: the rest cannot change it.
    delivery ??= resultOf(response);
    let left = MAX_RESPONSE_BYTES;
    response.on('error', () => {});
    response.on('close', end);
    response.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) response.destroy();
    });
  });
  await ended;
  request.destroy();
  return delivery ?? failed('the connection was closed without a response');
}

function resultOf({ statusCode = 0, headers }: http.IncomingMessage): Delivery {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered', status: statusCode };
  return {
    ...{ outcome: 'failed', status: statusCode, reason: `status ${statusCode}` },
    retryAfterMs: retryAfterOf(headers['retry-after']),
    isFinal: statusCode === 410,
  };
}

export function failed(reason: string, isFinal = false): Delivery {
  return { outcome: 'failed', status: undefined, reason, retryAfterMs: undefined, isFinal };
}

/** RFC 9110, section 10.2.3. */
function retryAfterOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
