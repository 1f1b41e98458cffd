// A contract with older versions, served in process by the real engine.
import { Readable } from 'node:stream';
import { Contract, type LoadedContract } from '@stubwright/contract';
import { wholeBody } from '@stubwright/contract/values';
import {
  createEngine,
  type EngineOptions,
  type EngineResponse,
  Exchange,
} from 'stubwright/internals';
import { parse } from 'yaml';
import type { ServedEntry } from '../src/configuration.ts';
import type { VersionConverters } from '../src/converters.ts';
import type { Pin } from '../src/versionSelection.ts';
import { serveVersions, verifiedOnce } from '../src/versions.ts';

export interface Older {
  readonly version: string;
  readonly path?: string;
  readonly deprecated?: string;
  readonly until?: string;
  /** The contract from `paths:` on. */
  readonly yaml: string;
  // biome-ignore lint/suspicious/noExplicitAny: a toy contract has no generated types
  readonly converters: any;
}

/** A converter of replies that replaces their body. */
export const replyWith =
  // biome-ignore lint/suspicious/noExplicitAny: a toy contract has no generated types
  (convert: (body: any) => unknown) => (reply: { body: unknown }) => ({
    ...reply,
    body: convert(reply.body),
  });

/** Contexts of requests. `outcomes` has the kind and the status with which each was disposed. */
export function disposedContexts() {
  const outcomes: string[] = [];
  const context = () => ({
    async [Symbol.asyncDispose]({ kind, status }: { kind: string; status?: number }) {
      outcomes.push(status === undefined ? kind : `${kind} ${status}`);
    },
  });
  return { outcomes, context: context as never };
}

/** A contract with one older version, whose requests start with `/v1`. */
export function v1(yaml: string, converters: object = {}, more: Partial<Older> = {}): Older[] {
  return [{ version: '1.0.0', path: '/v1', yaml, converters, ...more }];
}

export interface ServedOptions extends Partial<Omit<EngineOptions<never>, 'definition'>> {
  readonly version?: string;
  /** The contract from `paths:` on. */
  readonly yaml: string;
  readonly older: readonly Older[];
  readonly header?: string;
  readonly mediaType?: string;
  readonly default?: string;
  readonly pin?: Pin;
}

export interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Instead of a body. */
  readonly text?: string;
  readonly method?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  readonly body: any;
  readonly cause: string | undefined;
  readonly response: EngineResponse;
}

export function contractOf(version: string, yaml: string): Contract {
  return new Contract(parse(`openapi: 3.1.0\ninfo: {title: t, version: '${version}'}\n${yaml}`));
}

export function loaded(definition: Contract): LoadedContract {
  return { definition, warnings: [], files: [], publish: () => Promise.reject(new Error('none')) };
}

export async function served({
  yaml,
  older,
  version = '2.0.0',
  header,
  mediaType,
  default: byDefault,
  pin,
  ...given
}: ServedOptions) {
  const definition = contractOf(version, yaml);
  const verifiers = pin && given.verifiers ? verifiedOnce(given.verifiers) : given.verifiers;
  const options = { errors: 'numbered', ...given, verifiers, definition } as const;
  const entries = older.map((each): ServedEntry => {
    const { version: name, path, deprecated, until } = each;
    return { version: name, path, deprecated, until, contract: '', converters: '' };
  });
  const configuration = { header, mediaType, default: byDefault, versions: entries };
  const current = await createEngine(options);
  const versions = serveVersions(
    {
      ...{ configuration, file: 'compatibility.yaml', pin },
      load: async (entry) => {
        const own = older.find((each) => each.version === entry.version)!;
        const converters: VersionConverters = own.converters;
        return { contract: loaded(contractOf(own.version, own.yaml)), converters };
      },
    },
    current,
    options,
  );
  return {
    versions,
    current,
    send: (url: string, sent?: Sent) => send(versions.engine, url, sent),
  };
}

/** @returns the body of a response with the status 200, unread */
export async function open(
  engine: Handling,
  url: string,
  headers: Record<string, string> = {},
): Promise<Readable> {
  const exchange = new Exchange({ method: 'GET', url, headers }, wholeBody(Buffer.alloc(0)));
  const { status, body } = await engine.handle(exchange);
  if (status !== 200 || !(body instanceof Readable)) throw new Error('expected a stream');
  return body;
}

type Handling = { readonly handle: (exchange: Exchange) => Promise<EngineResponse> };

async function send(engine: Handling, url: string, sent: Sent = {}): Promise<Answer> {
  const { headers = {} } = sent;
  const text = sent.text ?? (sent.body === undefined ? '' : JSON.stringify(sent.body));
  const method = sent.method ?? (text === '' ? 'GET' : 'POST');
  const bytes = Buffer.from(text);
  const ofBody =
    text === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const head = { method, url, headers: { ...ofBody, ...Object.fromEntries(lower) } };
  const response = await engine.handle(new Exchange(head, wholeBody(bytes)));
  const { status, cause } = response;
  return {
    ...{ status, headers: response.headers, response },
    body: await bodyOf(response),
    cause: cause === undefined ? undefined : String((cause as Error).message),
  };
}

async function bodyOf({ body }: EngineResponse): Promise<unknown> {
  if (body === undefined) return undefined;
  if (!(body instanceof Readable)) return JSON.parse(String(body));
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}
