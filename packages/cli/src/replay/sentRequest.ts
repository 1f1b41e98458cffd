// A recorded request as it is sent again.
import type { Definition } from '@stubwright/contract';
import type { RecordedRequest } from '../release/recordedRequest.ts';

/** What recorded credentials contain instead of a secret. */
const PLACEHOLDER = 'TOKEN';
const PLACEHOLDERS = /\bTOKEN\b/g;
const BASIC = `Basic ${btoa(`user:${PLACEHOLDER}`)}`;

export interface ReplayCredentials {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The path, headers and body of a request. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** @param credentials instead of the placeholders; undefined to keep them */
export function sentRequest(
  { method, path, params, ...recorded }: RecordedRequest,
  definition: Definition,
  { token = PLACEHOLDER, headers: added = {} }: ReplayCredentials = {},
): SentRequest {
  const target = path.replace(/\{([^{}]*)\}/g, (all, name: string) => {
    const value = params?.path[name];
    return value === undefined ? all : encodeURIComponent(String(value));
  });
  const headers = new Map(
    Object.entries(recorded.headers).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const secret = credentialHeaders(definition);
  for (const [name, value] of Object.entries(added)) {
    const key = name.toLowerCase();
    const isRecorded = hasPlaceholder(headers.get(key)?.value ?? '');
    if (isRecorded || !secret.has(key)) headers.set(key, { name, value });
  }
  const values = [...headers].map(([key, { name, value }]) => [
    name,
    secret.has(key) ? filled(value, token) : value,
  ]);
  return {
    method: method.toUpperCase(),
    target: withQueryToken(target, definition, token),
    headers: Object.fromEntries(values),
    body: recordedBody(recorded),
  };
}

/** @returns the body of a recorded request */
export function recordedBody({ body }: Pick<RecordedRequest, 'body'>): string | undefined {
  return body
    ?.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times)))
    .join('');
}

/** Header names in lower case. */
function credentialHeaders({ securitySchemes }: Definition): Set<string> {
  const named = [...securitySchemes.values()].map(({ node }) =>
    node.type === 'apiKey' ? (node.in === 'header' ? String(node.name) : '') : 'Authorization',
  );
  return new Set([...named, 'Cookie'].map((name) => name.toLowerCase()));
}

function hasPlaceholder(value: string): boolean {
  return value === BASIC || value.includes(PLACEHOLDER);
}

function filled(value: string, token: string): string {
  if (value === BASIC) return `Basic ${Buffer.from(`user:${token}`).toString('base64')}`;
  return value.replace(PLACEHOLDERS, () => token);
}

/** Replaces the placeholders in API keys of the query. */
function withQueryToken(target: string, { securitySchemes }: Definition, token: string): string {
  const keys = [...securitySchemes.values()].flatMap(({ node }) =>
    node.type === 'apiKey' && node.in === 'query' ? [String(node.name)] : [],
  );
  const pairs = new Set(keys.map((key) => `${key}=${PLACEHOLDER}`));
  return target.replace(/(?<=[?&])[^&#]+/g, (pair) => {
    return pairs.has(pair) ? pair.replace(PLACEHOLDER, () => encodeURIComponent(token)) : pair;
  });
}

/** Longer bodies are cut in a report. */
const MAX_SHOWN = 2_000;

/** @returns a curl command, without secrets */
export function curlLine(url: string, { method, target, headers, body }: SentRequest): string {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const shown =
    body !== undefined && body.length > MAX_SHOWN
      ? `${body.slice(0, 100)}… (${body.length} characters)`
      : body;
  const data = shown === undefined ? [] : ['--data-raw', shown];
  const words = ['curl', '-i', '-X', method, url + target, ...fields, ...data];
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
