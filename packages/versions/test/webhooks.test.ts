// Messages to subscribers of older versions, sent by the real sender.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { InvalidReply } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { createWebhooks, type Outbox, type OutboxMessage } from '../../webhooks/src/index.ts';
import type { VersionConverters } from '../src/converters.ts';
import { convertedWebhooks, webhookVersions } from '../src/webhookVersions.ts';
import { contractOf, loaded } from './support.ts';

const webhook = (name: string, schema: string) => `
  ${name}:
    post:
      requestBody: {required: true, content: {application/json: {schema: ${schema}}}}
      responses: {204: {description: ok}}`;

const REF = "{$ref: '#/components/schemas/Toy'}";
const EVENT = `{type: object, required: [toy], properties: {toy: ${REF}}}`;
const toy = (properties: string, required: string) =>
  `components: {schemas: {Toy: {type: object, required: [${required}], additionalProperties: false, properties: {${properties}}}}}`;

const CONTRACTS: Readonly<Record<string, string>> = {
  '1.0.0': `paths: {}
${toy('id: {type: integer, format: int64}, name: {type: string, maxLength: 10}', 'id, name')}
webhooks:${webhook('toySold', REF)}`,
  '2.0.0': `paths: {}
${toy('id: {type: integer, format: int64}, name: {type: string}', 'id, name')}
webhooks:${webhook('toySold', REF)}${webhook('toyLost', EVENT)}`,
  '3.0.0': `paths: {}
${toy('id: {type: integer, format: int64}, names: {type: object, properties: {common: {type: string}}}', 'id, names')}
webhooks:${webhook('toySold', EVENT)}${webhook('toyLost', EVENT)}${webhook('toyFound', EVENT)}`,
};

interface NamedToy {
  readonly id: bigint;
  readonly names: { readonly common: string };
}

interface Named {
  readonly body: { readonly toy?: object; readonly name: string };
}

const toOld = ({ id, names }: NamedToy) => ({ id, name: names.common });
const LOST = 'nobody';

const CONVERTERS = {
  '1.0.0': {
    webhooks: {
      toySold: {
        requestSteps: {
          '/name maxLength 10': ({ body }: Named) => ({
            body: { ...body, name: body.name.slice(0, 10) },
          }),
        },
      },
    },
  },
  '2.0.0': {
    schemas: { Toy: { toOld } },
    webhooks: {
      toySold: {
        request: async ({ body }: Named) =>
          body.toy && 'name' in body.toy && body.toy.name === LOST ? undefined : { body: body.toy },
      },
    },
  },
};

interface Hook {
  post: { requestBody: { content: { 'application/json': object } }; responses: object };
}

interface Hooks {
  toySold: Hook;
  toyLost: Hook;
  toyFound: Hook;
}

type Converters = Readonly<Record<string, VersionConverters>>;

async function sender(converters: Converters = CONVERTERS as unknown as Converters) {
  const sent: OutboxMessage[] = [];
  const outbox: Outbox = {
    put: async (message) => void sent.push(message),
    claim: async () => [],
    ...{ delivered: async () => {}, reschedule: async () => {}, giveUp: async () => {} },
  };
  const entry = (version: string) => ({
    ...{ version, path: undefined, until: undefined, contract: '', converters: '' },
  });
  const versions = convertedWebhooks(
    { versions: [entry('1.0.0'), entry('2.0.0')] },
    async ({ version }) => ({
      contract: loaded(contractOf(version, CONTRACTS[version]!)),
      converters: converters[version] ?? {},
    }),
  );
  const webhooks = await createWebhooks<Hooks>({
    contract: loaded(contractOf('3.0.0', CONTRACTS['3.0.0']!)),
    ...{ outbox, versions, secrets: () => [] },
  });
  const send = async (name: string, body: object, version?: string) => {
    const id = await webhooks.send(name as keyof Hooks, 'https://a.example', body, { version });
    expect(id).toMatch(/^msg_/);
    return sent.splice(0).map((each) => each.body);
  };
  return { send, sent };
}

const BODY = { toy: { id: 9007199254740993n, names: { common: 'Threadbare bear' } } };

describe('a message to a subscriber', () => {
  it.each([
    ['toySold', undefined, '{"toy":{"id":9007199254740993,"names":{"common":"Threadbare bear"}}}'],
    ['toySold', '3.0.0', '{"toy":{"id":9007199254740993,"names":{"common":"Threadbare bear"}}}'],
    ['toySold', '2.0.0', '{"id":9007199254740993,"name":"Threadbare bear"}'],
    ['toySold', '1.0.0', '{"id":9007199254740993,"name":"Threadbare"}'],
    ['toyLost', '2.0.0', '{"toy":{"id":9007199254740993,"name":"Threadbare bear"}}'],
    ['toyFound', '3.0.0', expect.any(String)],
  ])('%s of version %s is %s', async (name, version, text) => {
    const { send } = await sender();
    expect(await send(name, BODY, version)).toEqual([text]);
  });

  it.each([
    ['the version does not have', 'toyLost', '1.0.0'],
    ['a version between does not have', 'toyFound', '1.0.0'],
    ['the next version does not have', 'toyFound', '2.0.0'],
  ])('that %s is not sent', async (_, name, version) => {
    const { send } = await sender();
    expect(await send(name, BODY, version)).toEqual([]);
  });

  it('that a converter leaves out is not sent', async () => {
    const { send } = await sender();
    const lost = { toy: { ...BODY.toy, names: { common: LOST } } };
    expect(await send('toySold', lost, '2.0.0')).toEqual([]);
    expect(await send('toySold', lost, '1.0.0')).toEqual([]);
    expect(await send('toySold', lost, '3.0.0')).toHaveLength(1);
  });

  it('has only what the current contract declares', async () => {
    const received: unknown[] = [];
    const request = (message: unknown) => {
      received.push(message);
      return { body: { id: 1n, name: 'a' } };
    };
    const { send } = await sender({
      '2.0.0': { schemas: {}, webhooks: { toySold: { request } } },
    });
    await send('toySold', { ...BODY, internal: 'secret' }, '2.0.0');
    expect(received).toEqual([{ body: BODY }]);
  });

  it('is validated by the current contract, and converted by its own', async () => {
    const { send, sent } = await sender();
    await expect(send('toySold', { toy: { id: 1n } }, '2.0.0')).rejects.toThrow(
      new InvalidReply('toySold: /toy/names is required'),
    );
    const { send: unconverted } = await sender({});
    await expect(unconverted('toySold', BODY, '2.0.0')).rejects.toThrow(
      /^version 2\.0\.0: toySold: \/id is required/,
    );
    expect(sent).toEqual([]);
  });

  it.each([
    [
      'the component',
      ({ '2.0.0': { schemas: _, ...rest }, ...all }) => ({ ...all, '2.0.0': rest }),
    ],
    ['the webhook', ({ '2.0.0': { webhooks: _, ...rest }, ...all }) => ({ ...all, '2.0.0': rest })],
    ['the step', ({ '2.0.0': newer }) => ({ '2.0.0': newer })],
  ] satisfies [string, (all: typeof CONVERTERS) => object][])(
    'is refused without the converter of %s',
    async (_, without) => {
      const { send } = await sender(without(CONVERTERS) as Converters);
      await expect(send('toySold', BODY, '1.0.0')).rejects.toThrow(InvalidReply);
    },
  );

  it('names the converter that fails', async () => {
    const request = () => {
      throw new Error('no name');
    };
    const { send } = await sender({ '2.0.0': { webhooks: { toySold: { request } } } });
    await expect(send('toySold', BODY, '2.0.0')).rejects.toThrow(
      'version 2.0.0: webhook toySold: the request converter failed: no name',
    );
  });

  it.each([
    ['of another webhook', { sold: {} }, /version 2\.0\.0: webhooks\.sold: both contracts need/],
    ['of a new webhook', { toyFound: {} }, /webhooks\.toyFound: both contracts need/],
  ])('has no converter %s', async (_, webhooks, message) => {
    const { send } = await sender({ '2.0.0': { webhooks } });
    await expect(send('toyLost', BODY, '2.0.0')).rejects.toThrow(message);
  });

  it.each([
    ['the oldest version', '0.9.0', '1.0.0'],
    ['the oldest version', '1.5.0', '1.0.0'],
    ['the current version', '10.0.0', '3.0.0'],
  ])('is that of %s for %s, which is not served', async (_, version, as) => {
    const { send } = await sender();
    const messages = await send('toySold', BODY, version);
    expect(messages).toHaveLength(1);
    expect(messages).toEqual(await send('toySold', BODY, as));
  });
});

describe('webhookVersions', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const current = contractOf('3.0.0', CONTRACTS['3.0.0']!);

  it('reads the files of a project', async () => {
    const file = join(folder.path, 'compatibility.yaml');
    write(
      'compatibility.yaml',
      "served: {header: V, versions: [{version: '2.0.0', contract: 2.json, converters: 2.mjs}]}",
    );
    write('2.json', JSON.stringify(contractOf('2.0.0', CONTRACTS['2.0.0']!).document));
    write(
      '2.mjs',
      'export const converters = { webhooks: { toySold: { request: ({ body }) => ({ body: body.toy }) } } };',
    );
    const version = await webhookVersions(file).open('2.0.0', current);
    expect(await version!.convert('toySold', { toy: 1 })).toEqual({ body: 1 });
  });

  it('are none without a file', async () => {
    const versions = webhookVersions(join(folder.path, 'none.yaml'));
    await expect(versions.open('3.0.0', current)).resolves.toBeUndefined();
    await expect(versions.open('2.0.0', current)).resolves.toBeUndefined();
  });
});
