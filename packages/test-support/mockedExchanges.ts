// Sends valid and invalid requests to the mocks of contracts.
import { parseText } from '@stubwright/cli/editor';
import { Contract, type Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { type ExampleRequest, ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { CONTRACTS } from './recordedContracts.ts';

const ORIGIN = 'http://toys.test';
export const { broken: _, odd: __, ...SERVED } = CONTRACTS;

export function definitionOf(contract: string): Contract {
  const { value } = parseText(contract, false) as { value: object };
  return new Contract(value);
}

/** Sends valid and invalid requests of each operation to its mock. */
export async function exchanged(
  definition: Contract,
  options: Pick<Parameters<typeof createApi>[0], 'recorder'>,
  onResponse: (exchange: {
    operationId: string;
    title: string;
    request: ExampleRequest;
    response: Response;
  }) => Promise<unknown>,
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
      const { operationId } = operation;
      await onResponse({ operationId, title, request, response });
    }
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
