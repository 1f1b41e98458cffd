// Reads recorded requests: HAR 1.2, an entry a line, counts, and the requests of a release.

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Conversation,
  type RecordedRequest,
  recordedHeaders,
  type TrafficRequest,
} from '../record/record.ts';
import type { UsageLine, UsedPart } from '../recording/usage.ts';
import { boundedLines, Chunks, harEntryTexts, isHar, TooLong } from './lines.ts';
import { isPact, pactRequests } from './pact.ts';

const ANONYMOUS = 'anonymous';

/**
 * @param value of `log.entries` @param callerHeader whose value names the caller, in lower case
 * @returns undefined for a value that is not an entry with a method, a URL and a time
 */
export function entryOf(
  value: unknown,
  callerHeader: string | undefined,
): TrafficRequest | undefined {
  const {
    startedDateTime,
    _caller: named,
    _contract: contract,
    request,
    response,
  } = membersOf(value);
  const { method, url, headers: list, postData } = membersOf(request);
  const { text: written, params, mimeType: type } = membersOf(postData);
  const at = Date.parse(String(startedDateTime));
  const address = URL.parse(String(url), 'http://localhost');
  if (typeof method !== 'string' || typeof url !== 'string' || address === null) return undefined;
  if (Number.isNaN(at)) return undefined;
  const headers = headersOf(list);
  const text = written || formText(params, type);
  const body = typeof text === 'string' ? [text] : undefined;
  if (body !== undefined && typeof type === 'string') headers['content-type'] ??= type;
  const fromHeader = callerHeader === undefined ? undefined : headers[callerHeader];
  const hasParams = Array.isArray(params) && params.length > 0;
  const isBodyOmitted = body === undefined && hasParams;
  return {
    ...{ at, caller: fromHeader ?? (typeof named === 'string' ? named : ANONYMOUS) },
    ...(typeof contract === 'string' && { contract }),
    ...{ method, path: address.pathname + address.search, headers },
    ...(body && { body }),
    ...(isBodyOmitted && { isBodyOmitted }),
    ...responseOf(response),
  };
}

/** @returns a form that a tool stored as pairs; undefined for another body, such as one with files */
function formText(params: unknown, type: unknown): string | undefined {
  if (!Array.isArray(params) || params.length === 0) return undefined;
  if (!/^application\/x-www-form-urlencoded\b/i.test(String(type))) return undefined;
  const pairs = params.map((param) => {
    const { name, value = '' } = membersOf(param);
    return [String(name), String(value)] satisfies [string, string];
  });
  return new URLSearchParams(pairs).toString();
}

/** @returns nothing without headers, and without a status, as for a request that was cancelled */
function responseOf(value: unknown): Pick<RecordedRequest, 'status' | 'response'> {
  const { status, headers: list, content } = membersOf(value);
  if (typeof status !== 'number' || status < 200 || status > 599) return {};
  if (!Array.isArray(list)) return {};
  const { text, encoding, mimeType } = membersOf(content);
  const headers = headersOf(list);
  if (typeof mimeType === 'string' && mimeType !== '') headers['content-type'] ??= mimeType;
  const coding = encoding === 'base64' ? 'base64' : 'utf8';
  const body = typeof text === 'string' ? Buffer.from(text, coding) : undefined;
  return { status, response: { headers, body } };
}

function headersOf(list: unknown): Record<string, string> {
  const pairs = (Array.isArray(list) ? list : []).flatMap((header) => {
    const { name, value } = membersOf(header);
    return typeof value === 'string' ? [[String(name), value] as const] : [];
  });
  return recordedHeaders(pairs);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

/**
 * @param release whose contract is at `path`: `test/released/1.0.0.yaml` -> `….requests.json`
 * @throws {Error} for a release without that file
 */
export function recordedFor({ path }: { readonly path: string }, cwd = ''): Conversation[] {
  const file = path.replace(/\.ya?ml$/, '.requests.json');
  const absolute = resolve(cwd, file);
  if (!existsSync(absolute))
    throw new Error(`${file}: not found, expected the requests of ${path}`);
  return JSON.parse(readFileSync(absolute, 'utf8'));
}

interface ReadOptions {
  readonly cwd: string;
  /** The header whose value names the caller, in lower case. */
  readonly callerHeader: string | undefined;
}

/** A recorded request, or what one caller sent to one operation in some time. */
export type TrafficRecord = {
  /** The file that holds it. */
  readonly file: string;
} & (
  | { readonly entry: TrafficRequest; readonly usage?: undefined }
  | { readonly usage: UsageLine; readonly entry?: undefined }
);

/**
 * Reads one entry or line at a time.
 *
 * @yields the records of all files
 * @throws {Error} for a file that cannot be read, has another format or too long a line, with the line
 */
export async function* readTraffic(
  files: readonly string[],
  options: ReadOptions,
): AsyncGenerator<TrafficRecord, void, undefined> {
  for (const file of files) yield* recordsIn(file, options);
}

async function* recordsIn(
  file: string,
  { cwd, callerHeader }: ReadOptions,
): AsyncGenerator<TrafficRecord, void, undefined> {
  const input = createReadStream(resolve(cwd, file), 'utf8');
  try {
    const chunks: AsyncIterator<string> = input[Symbol.asyncIterator]();
    const { value: start, done } = await chunks.next();
    if (done) return;
    const all = prepended(start, chunks);
    if (isHar(start)) yield* harRecords(file, all, callerHeader);
    else if (isPact(start)) yield* pactRecords(file, all, { cwd, callerHeader });
    else yield* lineRecords(file, all, callerHeader);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`${file}: got ${code}, expected a file`);
  } finally {
    input.destroy();
  }
}

async function* prepended(
  first: string,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Adds the location to the message of an error. */
async function* located(
  texts: AsyncIterable<string>,
  locationOf: (error: unknown) => string,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* texts;
  } catch (error) {
    throw new Error(locationOf(error) + (error as Error).message);
  }
}

async function* harRecords(
  file: string,
  chunks: AsyncIterable<string>,
  callerHeader: string | undefined,
): AsyncGenerator<TrafficRecord, void, undefined> {
  let at = 0;
  const texts = located(harEntryTexts(chunks), (error) => {
    return `${file}: ${error instanceof TooLong ? `log.entries[${at}]: ` : ''}`;
  });
  for await (const text of texts) {
    const entry = entryOf(parsed(text), callerHeader);
    if (entry === undefined) {
      throw new Error(`${file}: log.entries[${at}]: expected method, url and startedDateTime`);
    }
    expectPast(entry.at, `${file}: log.entries[${at}]`);
    yield { file, entry };
    at++;
  }
}

/** A Pact file has no times: the days of its requests do not count. */
async function* pactRecords(
  file: string,
  chunks: AsyncIterable<string>,
  { cwd, callerHeader }: ReadOptions,
): AsyncGenerator<TrafficRecord, void, undefined> {
  const { mtimeMs: at } = statSync(resolve(cwd, file));
  try {
    const text = new Chunks('a Pact file');
    for await (const chunk of chunks) text.add(chunk);
    for (const entry of pactRequests(text.take(''), { at, callerHeader })) yield { file, entry };
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

async function* lineRecords(
  file: string,
  chunks: AsyncIterable<string>,
  callerHeader: string | undefined,
): AsyncGenerator<TrafficRecord, void, undefined> {
  let number = 0;
  for await (const line of located(boundedLines(chunks), () => `${file}:${number + 1}: `)) {
    number++;
    if (line.trim() === '') continue;
    const value = parsed(line);
    const place = `${file}:${number}`;
    if (isUsage(value)) {
      expectPast(Date.parse(value.last), place);
      yield { file, usage: value };
      continue;
    }
    const entry = entryOf(value, callerHeader);
    if (entry === undefined) {
      const got =
        number === 1 ? 'another file, expected HAR 1.2, a Pact file, or' : 'another text, expected';
      throw new Error(`${place}: got ${got} a HAR entry or a usage in each line`);
    }
    expectPast(entry.at, place);
    yield { file, entry };
  }
}

/** Clocks of several machines differ. */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

/** A wrong clock would stretch the days of a recording. @param at milliseconds since 1970 */
function expectPast(at: number, place: string): void {
  if (at <= Date.now() + TOLERANCE_MS) return;
  throw new Error(`${place}: got ${new Date(at).toISOString()}, expected a time in the past`);
}

function isUsage(value: unknown): value is UsageLine {
  const { usage, caller, operation, requests, valid, first, last, parts } = Object(
    value,
  ) as Partial<UsageLine>;
  return (
    usage === 2 &&
    [caller, operation].every((text) => typeof text === 'string') &&
    [requests, valid].every((count) => Number.isSafeInteger(count)) &&
    [first, last].every(isTime) &&
    Array.isArray(parts) &&
    parts.every(isUsedPart)
  );
}

function isUsedPart(part: unknown): part is UsedPart {
  const { subject, path, count, first, last } = Object(part) as Partial<UsedPart>;
  return (
    typeof subject === 'string' &&
    Array.isArray(path) &&
    path.every((name) => name === null || typeof name === 'string') &&
    Number.isSafeInteger(count) &&
    [first, last].every(isTime)
  );
}

function isTime(value: unknown): boolean {
  return !Number.isNaN(Date.parse(String(value)));
}

function parsed(text: string): unknown {
  try {
    // A byte order mark is no JSON.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
