// Writes the example requests of contracts, and the responses of their mocks, as text: `make transcripts`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseText } from '@stubwright/cli/editor';
import { Contract, escapeToken, type Operation, stringifyJson } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { CONTRACTS } from '../../cli/test/generatedText.ts';
import { type ExampleRequest, ExampleRequests } from '../src/requests/exampleRequest.ts';

const FOLDER = 'packages/mock/test/exchanges';
const ORIGIN = 'http://toys.test';
const MAX_LENGTH = 600;
/** A random UUID. */
const BOUNDARY = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const { broken: _, odd: __, ...SERVED } = CONTRACTS;

export { SERVED };

export function exchangesPath(name: string): string {
  return `${FOLDER}/${name}.txt`;
}

/** @returns samples, and of each operation the valid request and the responses, each with the requests that get it */
export async function mockedExchanges(contract: string): Promise<string> {
  const definition = definitionOf(contract);
  const sections = samplesOf(definition);
  const exchanges: { operation: string; sent: string; response: string }[] = [];
  let valid: readonly string[] = [];
  await exchanged(definition, {}, (operation, title, request, response) => {
    const parts = partsOf(request);
    if (title === 'valid') valid = parts;
    const differing = parts.filter((part) => title === 'valid' || !valid.includes(part));
    const isNamed = !/^(?:wrong|valid)/.test(title);
    const sent = isNamed ? title : [title, ...differing].join(' | ');
    exchanges.push({ operation, sent, response });
  });
  for (const [operation, all] of Map.groupBy(exchanges, (exchange) => exchange.operation)) {
    sections.push(`# ${operation}`);
    for (const [response, same] of Map.groupBy(all, (exchange) => exchange.response)) {
      sections.push(`${response} <- ${same.map(({ sent }) => sent).join('; ')}`);
    }
  }
  return sections.join('\n').replaceAll(BOUNDARY, 'BOUNDARY').concat('\n');
}

export function definitionOf(contract: string): Contract {
  const { value } = parseText(contract, false) as { value: object };
  return new Contract(value);
}

/** Sends valid and invalid requests of each operation to its mock. */
export async function exchanged(
  definition: Contract,
  options: Pick<Parameters<typeof createApi>[0], 'recorder'>,
  each: (operation: string, title: string, request: ExampleRequest, response: string) => void,
): Promise<void> {
  const validators = new Validators(definition, 'request');
  const requests = new ExampleRequests(definition, validators, new Samples(validators));
  const api = await createApi({
    contract: { definition, warnings: [], files: [] } as never,
    handlers: {},
    verifiers: Object.fromEntries(
      [...definition.securitySchemes.keys()].map((name) => [name, () => ({ name })]),
    ),
    mock: 'all',
    ...options,
  });
  const serve = fetchHandler(api);
  for (const operation of definition.operations) {
    for (const [title, request] of variantsOf(operation, requests)) {
      const { method, target, headers, body } = request;
      // fetch does not send it.
      if (method === 'TRACE') continue;
      const url = `${ORIGIN}${operation.basePaths[0] ?? ''}${target}`;
      const init = { method, headers, ...(body !== undefined && { body, duplex: 'half' }) };
      const response = await serve(new Request(url, init as RequestInit));
      each(operation.operationId, title, request, await responseText(response));
    }
  }
}

/** @returns a sample of each named schema, and another one if its responses have another */
function samplesOf(definition: Contract): string[] {
  const [inRequest, inResponse] = (['request', 'response'] as const).map(
    (direction) => new Samples(new Validators(definition, direction)),
  );
  return Object.keys(definition.document['components']?.schemas ?? {}).map((name) => {
    const pointer = `/components/schemas/${escapeToken(name)}`;
    const samples = [inRequest!, inResponse!].map((all) => sampleText(() => all.at(pointer, '1')));
    return `${name} ${[...new Set(samples)].join(' | response ')}`;
  });
}

function sampleText(sample: () => unknown): string {
  try {
    return abbreviated(stringifyJson(sample()));
  } catch (error) {
    if (error instanceof NoSample) return error.message;
    throw error;
  }
}

type Variant = readonly [title: string, request: ExampleRequest];

function variantsOf(operation: Operation, requests: ExampleRequests): readonly Variant[] {
  const valid = requests.of(operation, 'token');
  const withHeader = (name: string, value: string): ExampleRequest => {
    return { ...valid, headers: { ...valid.headers, [name]: value } };
  };
  const statuses = [...operation.responses.keys()].map((status) => status.replace(/XX$/, '18'));
  const all: Variant[] = [
    ['valid', valid],
    ...statuses
      .filter((status) => status !== 'default')
      .map((status): Variant => [`code=${status}`, withHeader('Prefer', `code=${status}`)]),
    ['Accept: a/b', withHeader('Accept', 'a/b')],
    ['unknown query', { ...valid, target: withQuery(valid.target, 'unknown=1') }],
  ];
  for (const parameter of operation.parameters) {
    const title = `wrong ${parameter.in} ${parameter.name}`;
    if (parameter.isReserved) continue;
    const parameters = new Map([[parameter, '~']]);
    all.push([title, requests.of(operation, 'token', { parameters })]);
  }
  if (typeof valid.body === 'string' && valid.body !== '') {
    all.push(['no body', { ...valid, body: undefined }]);
    for (const body of ['null', '[]', '{}', '"text"', '{']) all.push([body, { ...valid, body }]);
    all.push(['Content-Type: a/b', withHeader('Content-Type', 'a/b')]);
  }
  return all;
}

function withQuery(target: string, query: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

function partsOf({ method, target, headers, body }: ExampleRequest): readonly string[] {
  const shown = typeof body === 'string' ? body : body && JSON.stringify([...body.entries()]);
  return [`${method} ${target}`, ...linesOf(Object.entries(headers)), abbreviated(shown)];
}

/** @returns of problem details the facts: location, pointer and rule of each error */
async function responseText(response: Response): Promise<string> {
  const { status, headers } = response;
  const text = await response.text();
  const isProblem = text !== '' && headers.get('content-type') === 'application/problem+json';
  const shown = isProblem ? errorsIn(text) : abbreviated(text);
  return [status, ...linesOf([...headers]), shown].join(' | ');
}

function errorsIn(text: string): string {
  const { errors = [] }: { errors?: readonly Record<string, string>[] } = JSON.parse(text);
  return errors.map(({ in: where, pointer, rule }) => `${where} ${pointer} ${rule}`).join(', ');
}

function linesOf(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`).sort();
}

function abbreviated(text = ''): string {
  const shown = JSON.stringify(text.slice(0, MAX_LENGTH));
  return text.length > MAX_LENGTH ? `${shown} and ${text.length - MAX_LENGTH} more` : shown;
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, contract] of Object.entries(SERVED)) {
    writeFileSync(exchangesPath(name), await mockedExchanges(contract));
  }
}
