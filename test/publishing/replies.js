// A Worker that responds with the replies of all operations of contracts.json: test/publishing/runtimes.test.ts.
import { Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import contracts from './contracts.json' with { type: 'json' };

let text;

export default {
  async fetch() {
    text ??= JSON.stringify(await allReplies());
    return new Response(text);
  },
};

async function allReplies() {
  const replies = [];
  for (const [name, contract] of Object.entries(contracts)) {
    for await (const reply of repliesOf(contract)) replies.push([name, ...reply]);
  }
  return replies;
}

/** Methods that workerd rejects. */
const NOT_IN_WORKERD = ['LINK', 'UNLINK'];

async function* repliesOf(contract) {
  const definition = new Contract(structuredClone(contract.document));
  const [sent, received] = ['request', 'response'].map((use) => new Validators(definition, use));
  const requests = new ExampleRequests(definition, sent, new Samples(sent));
  const samples = new Samples(received);
  const caller = { name: 'caller', scopes: definition.scopes };
  const api = await createApi({
    contract,
    handlers: Object.fromEntries(
      definition.operations.map((operation) => [
        operation.operationId,
        () => replyOf(operation, samples),
      ]),
    ),
    verifiers: Object.fromEntries(
      [...definition.securitySchemes.keys()].map((name) => [name, () => caller]),
    ),
    cursorSecrets: ['a secret of 32 characters or more'],
  });
  const handle = fetchHandler(api);
  for (const operation of definition.operations) {
    const { method, target, headers, body } = requests.of(operation, 'token');
    if (NOT_IN_WORKERD.includes(method)) continue;
    const base = (operation.basePaths[0] ?? '').replaceAll(/\{[^{}]+\}/g, 'x');
    for (const query of ['', `${target.includes('?') ? '&' : '?'}undeclared=1`]) {
      const url = `http://localhost${base}${target}${query}`;
      const response = await handle(new Request(url, { method, headers, body }));
      yield [operation.operationId, response.status, [...response.headers], await response.text()];
    }
  }
}

/** A success; its properties are in the reverse of their order in the contract. */
function replyOf({ responses }, samples) {
  const status = Number([...responses.keys()].find((key) => /^2\d\d$/.test(key)) ?? 200);
  const { schema } = responses.for(status)?.contents.preferred?.content ?? {};
  return { status, body: schema && reversed(samples.at(schema.pointer, 'reply')) };
}

function reversed(value) {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]));
}
