// Bundles: written by @stubwright/cli, read at a start.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bundleOf } from '@stubwright/cli/loader';
import { bundleText, ContractErrors, loadContract, patternTest } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { fetchHandler } from '../src/fetch.ts';
import { createApi } from '../src/index.ts';

const CONTRACT = `# A comment.
openapi: 3.1.0
info: {title: Toys, version: '1'}
servers: [{url: /v1}]
paths:
  /toys:
    post:
      operationId: postToy
      requestBody: {content: {application/json: {schema: {$ref: 'toy.yaml'}}}}
      responses: {'204': {description: ok}}
`;
const TOY = `type: object
properties:
  id: {type: integer, maximum: 9223372036854775807, enum: [9007199254740993]}
  name: {type: string, pattern: '^(\\w+\\s?)*$'}
`;

const folder = temporaryFolder();
const source = join(folder.path, 'openapi.yaml');
const path = join(folder.path, 'generated', 'contract.json');
const options = { isMocked: false };
const reversed = (text: string) =>
  `${JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toReversed()), null, 1)}\n`;

beforeEach(async () => {
  mkdirSync(join(folder.path, 'generated'), { recursive: true });
  writeFileSync(source, CONTRACT);
  writeFileSync(join(folder.path, 'toy.yaml'), TOY);
  writeFileSync(path, bundleText(await bundleOf(source, join(folder.path, 'generated'))));
});
afterAll(() => folder.remove());

describe('a bundle', () => {
  it('equals the contract of its sources, including every digit', async () => {
    const [bundled, checked] = [
      await loadContract(path, options),
      await loadContract(source, options),
    ];
    expect(bundled.definition.document).toEqual(checked.definition.document);
    expect(bundled.warnings).toEqual(checked.warnings);
    expect(bundled.files).toEqual(['../openapi.yaml', '../toy.yaml']);
    const [text] = /9007199254740993/.exec(readFileSync(path, 'utf8')) ?? [];
    expect(text).toBe('9007199254740993');
    expect(await bundled.publish()).toEqual(await checked.publish());
  });

  it('contains the automata of patterns that V8 may not test in linear time', async () => {
    await loadContract(path, options);
    expect(patternTest('^(\\w+\\s?)*$')!.test(`${'a'.repeat(100_000)}!`)).toBe(false);
  });

  it.each<[string, (text: string) => string]>([
    ['Windows line endings', (text) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text) => `\uFEFF${text}`],
    ['no white space', (text) => text.replace(/\n\s*/g, '')],
    ['other indentation', (text) => text.replace(/^ +/gm, (spaces) => spaces.repeat(4))],
    ['its properties in another order', reversed],
  ])('loads with %s', async (_, format) => {
    const { definition, publish } = await loadContract(path, options);
    writeFileSync(path, format(readFileSync(path, 'utf8')));
    const formatted = await loadContract(path, options);
    expect(formatted.definition.document).toEqual(definition.document);
    expect(await formatted.publish()).toEqual(await publish());
  });

  it('is rejected if its end is missing', async () => {
    const text = readFileSync(path, 'utf8');
    for (const length of [text.length - 4, text.indexOf('"yaml"') + 20]) {
      writeFileSync(path, text.slice(0, length));
      await expect(loadContract(path, options)).rejects.toThrow(ContractErrors);
    }
  });

  it('belongs to the same sources with Windows line endings, and to no others', async () => {
    writeFileSync(source, CONTRACT.replaceAll('\n', '\r\n'));
    await loadContract(path, options);
    writeFileSync(source, `${CONTRACT}x-other: 1\n`);
    await expect(loadContract(path, options)).rejects.toThrow('generate it again');
  });

  it('is the same from sources with Windows line endings', async () => {
    const { files } = await bundleOf(source, join(folder.path, 'generated'));
    writeFileSync(source, CONTRACT.replaceAll('\n', '\r\n'));
    expect((await bundleOf(source, join(folder.path, 'generated'))).files).toEqual(files);
  });

  it('is the contract of an API as an imported object, which stays as it is', async () => {
    const contract = JSON.parse(readFileSync(path, 'utf8'));
    const copy = structuredClone(contract);
    const handlers = { postToy: () => ({ status: 204 }) };
    const send = async (id: string) => {
      const handle = fetchHandler(await createApi({ contract, handlers }));
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: `{"id":${id}}` };
      return (await handle(new Request('http://localhost/v1/toys', init))).status;
    };
    expect(await send('9007199254740993')).toBe(204);
    expect(await send('9007199254740992')).toBe(400);
    expect(contract).toEqual(copy);
    await expect(createApi({ contract: { ...contract, stubwright: 2 }, handlers })).rejects.toThrow(
      'contract  has format 2  expected 3: write it with the same version of @stubwright/cli',
    );
  });

  it('loads without its sources', async () => {
    rmSync(source);
    rmSync(join(folder.path, 'toy.yaml'));
    expect((await loadContract(path, options)).definition.operations).toHaveLength(1);
  });

  it.each([
    ['openapi.yaml', () => writeFileSync(source, CONTRACT.replace('/toys', '/dolls'))],
    ['toy.yaml', () => writeFileSync(join(folder.path, 'toy.yaml'), 'type: object\n')],
  ])('is rejected with another %s', async (name, change) => {
    change();
    await expect(loadContract(path, options)).rejects.toThrow(
      `${path}  was written from another ${join(folder.path, name)}  expected the same: generate it again`,
    );
  });

  it('is rejected in another format', async () => {
    writeFileSync(path, readFileSync(path, 'utf8').replace('"stubwright": 3', '"stubwright": 2'));
    await expect(loadContract(path, options)).rejects.toThrow(
      `${path}  has format 2  expected 3: write it with the same version of @stubwright/cli`,
    );
  });

  it('is not written for a contract with errors', async () => {
    writeFileSync(source, CONTRACT.replace('toy.yaml', 'none.yaml'));
    await expect(bundleOf(source, folder.path)).rejects.toThrow(
      /\$ref cannot be resolved: none\.yaml/,
    );
  });
});
