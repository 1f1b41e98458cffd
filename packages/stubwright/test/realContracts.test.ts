// Two large public contracts, served whole: every operation is called with a request that keeps its
// contract, and with one that breaks it.
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { loadContract } from '../../cli/src/loading/load.ts';
import type { Definition, Operation } from '../src/document/definition.ts';
import { responseFor } from '../src/document/responses.ts';
import { parseJsonText } from '../src/json/json.ts';
import { ExampleRequests } from '../src/mock/exampleRequest.ts';
import { Samples } from '../src/mock/sample.ts';
import { isJson, parseMediaType } from '../src/request/body/mediaType.ts';
import { Validators } from '../src/schema/validator.ts';
import { FIGMA, GITHUB, itWith } from './support/publicContracts.ts';
import { serveDefinition, type Toy, type ToyAnswer } from './support/toy.ts';

describe.each([
  ['GitHub', GITHUB, 1223],
  ['Figma', FIGMA, 54],
])('the contract of %s', (_, path, count) => {
  const it = itWith(path);
  let definition: Definition;
  let toy: Toy;
  let requests: ExampleRequests;
  let responses: Validators;

  beforeAll(async () => {
    ({ definition } = await loadContract(path));
    toy = await serveDefinition(definition, { mock: 'all' });
    const validators = new Validators(definition, 'request');
    requests = new ExampleRequests(definition, validators, new Samples(validators));
    responses = new Validators(definition, 'response');
  });
  afterAll(() => toy.close());

  async function send(operation: Operation, isBroken: boolean): Promise<ToyAnswer> {
    const { method, target, headers, body } = requests.of(operation, 'token');
    const broken = isBroken ? `${target.includes('?') ? '&' : '?'}not-declared=1` : '';
    return toy.fetch(operation.basePaths[0] + target + broken, {
      method,
      headers,
      body: body ?? null,
    });
  }

  /** @returns the violation in a response to a valid request, or `''` */
  function violationOf(operation: Operation, { status, headers, text }: ToyAnswer): string {
    const summary = `${operation.operationId} ${status} ${text.slice(0, 200)}`;
    const hasSuccess = [...operation.responses.keys()].some((each) => each.startsWith('2'));
    const response = responseFor(operation.responses, status);
    if (response === undefined || status >= (hasSuccess ? 300 : 500)) return summary;
    const type = headers.get('content-type');
    if (type === null || !isJson(parseMediaType(type)!.type)) return '';
    const content = definition.child(definition.child(response, 'content')!, type);
    if (content?.node.schema === undefined) return '';
    return responses.at(`${content.pointer}/schema`)(parseJsonText(text))
      ? ''
      : `invalid ${summary}`;
  }

  it('gets its declared success for every operation, valid against its schema', async () => {
    expect(definition.operations).toHaveLength(count);
    const faults: string[] = [];
    for (const operation of definition.operations) {
      faults.push(violationOf(operation, await send(operation, false)));
    }
    expect(faults.filter(Boolean)).toEqual([]);
  }, 120_000);

  it('gets a 4xx in the shape of Error for every operation, when the request is broken', async () => {
    const faults: string[] = [];
    for (const operation of definition.operations) {
      const { status, text } = await send(operation, true);
      const { error, message } = JSON.parse(text);
      const isTold = Math.floor(error / 100) === status && typeof message === 'string';
      if (status < 400 || status > 499 || !isTold)
        faults.push(`${operation.operationId} ${status}`);
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
