// Writes the example requests of contracts, and the responses of their mocks, as text: `make transcripts`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Contract, escapeToken, stringifyJson } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { definitionOf, exchanged, SERVED } from '@stubwright/test-support/mockedExchanges';
import type { ExampleRequest } from '../src/requests/exampleRequest.ts';

const FOLDER = 'packages/mock/test/exchanges';
const MAX_LENGTH = 600;
/** A random UUID. */
const BOUNDARY = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

export function exchangesPath(name: string): string {
  return `${FOLDER}/${name}.txt`;
}

/** @returns samples, and of each operation the valid request and the responses, each with the requests that get it */
export async function mockedExchanges(contract: string): Promise<string> {
  const definition = definitionOf(contract);
  const sections = samplesOf(definition);
  const exchanges: { operation: string; sent: string; response: string }[] = [];
  let valid: readonly string[] = [];
  await exchanged(
    definition,
    {},
    async ({ operationId: operation, title, request, ...received }) => {
      const response = await responseText(received.response);
      const parts = partsOf(request);
      if (title === 'valid') valid = parts;
      const differing = parts.filter((part) => title === 'valid' || !valid.includes(part));
      const isNamed = !/^(?:wrong|valid)/.test(title);
      const sent = isNamed ? title : [title, ...differing].join(' | ');
      exchanges.push({ operation, sent, response });
    },
  );
  for (const [operation, all] of Map.groupBy(exchanges, (exchange) => exchange.operation)) {
    sections.push(`# ${operation}`);
    for (const [response, same] of Map.groupBy(all, (exchange) => exchange.response)) {
      sections.push(`${response} <- ${same.map(({ sent }) => sent).join('; ')}`);
    }
  }
  return sections.join('\n').replaceAll(BOUNDARY, 'BOUNDARY').concat('\n');
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
