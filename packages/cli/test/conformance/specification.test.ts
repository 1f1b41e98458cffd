// Documents that OpenAPI's own schema accepts load; what it rejects is reported, with its line.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { textOf } from '@stubwright/contract';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { parse } from 'yaml';
import { checkedContract, loadContractFiles } from '../../src/loading/load.ts';
import { type ConformanceDocument, FAIL, PASS } from './documents.ts';
import { mutants } from './mutants.ts';
import { schemaBases } from './schemaBases.ts';

const require = createRequire(import.meta.url);
const VERSIONS = ['3.0.3', '3.1.1', '3.2.0'];
const tested = VERSIONS.map((openapi, minor) => ({ openapi, minor })).filter(
  ({ minor }) => isTestAll || minor === 2,
);

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

describe.each(tested)('a document of OpenAPI $openapi', ({ openapi, minor }) => {
  const textOf = ({ text }: ConformanceDocument) => `openapi: ${openapi}\n${text}\n`;
  const isTested = ({ versions }: ConformanceDocument) => versions.includes(minor);
  const accepted = PASS.filter(isTested).map(textOf);
  const violating = Object.entries(FAIL).filter(([, document]) => isTested(document));

  it('loads without a warning and is served if the schema of OpenAPI accepts it', async () => {
    const refused: string[] = [];
    for (const text of accepted) {
      await createApi({ contract: written(text), mock: 'all' }).catch((error) =>
        refused.push(`${error.message}\n${text}`),
      );
      const reported = await reportedLines(written(text));
      if (reported.some((line) => line !== markedLine(text))) refused.push(`${reported}\n${text}`);
    }
    expect(refused).toEqual([]);
  });

  it('is reported if the schema of OpenAPI rejects it', async () => {
    const silent: string[] = [];
    for (const [name, document] of violating) {
      const text = textOf(document);
      const lines = await reportedLines(written(text));
      const line = markedLine(text);
      const isReported = line === 0 ? lines.length > 0 : lines.includes(line);
      if (!isReported) silent.push(`${name}: expected line ${line}, got ${lines}`);
    }
    expect(silent).toEqual([]);
  });

  inTestAll(it)(
    'is labelled as the schema of OpenAPI decides, in the engine and in another validator',
    async () => {
      const isAccepted = await servedSchema(minor);
      const base = (await schemaBases())[minor]!;
      const wrong: string[] = [];
      for (const text of accepted) if (!(await isAccepted(parse(text)))) wrong.push(text);
      for (const [name, document] of violating) {
        const value: unknown = parse(textOf(document));
        // The schema of 3.1 and 3.2 leaves Schema Objects to the schema with the dialect.
        if ((await isAccepted(value)) && base(value)) wrong.push(name);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('is reported if one part is changed and the schema of OpenAPI rejects it', async () => {
    const isAccepted = await servedSchema(minor);
    const base = (await schemaBases())[minor]!;
    const documents = accepted.map((text) => parse(text)).filter((value) => base(value));
    const all = documents.flatMap((value) => [...mutants(value)]);
    const silent: string[] = [];
    for (let at = 0; at < all.length; at += Math.ceil(all.length / MUTANTS) || 1) {
      const { change, document } = all[at]!;
      if (UNREPORTED.some((pattern) => pattern.test(change))) continue;
      if (base(document) && (await isAccepted(document))) continue;
      const lines = await reportedLines(written(JSON.stringify(document)));
      if (lines.length === 0) silent.push(`${JSON.stringify(document)}: ${change}`);
    }
    expect(silent).toEqual([]);
  }, 600_000);
});

/** The number of changed documents of each version. */
const MUTANTS = isTestAll ? Number.POSITIVE_INFINITY : 400;
/** Changes that are not reported, although the schema rejects them. */
const UNREPORTED = [
  // The schema of 3.0 has formats.
  /(?:\/email|\/namespace|[uU]rl) = "a"$/,
  // The specification allows any value for a parameter of a link.
  /^\/components\/links\/a\/parameters(?:\/b =| extended)/,
  // The schema of 3.0 expects a name in the list; generators write an empty one.
  /\/required(?: = \[\]|\/0 removed)$/,
  // Other properties of a reference are ignored, which many contracts use.
  /^\/webhooks\/b extended|\/(?:oneOf\/0|application\/jsonl) extended/,
];

function written(text: string): string {
  const path = join(folder.path, 'openapi.yaml');
  writeFileSync(path, text);
  return path;
}

/** @returns the line that ends with `#!`; 0 for none */
function markedLine(text: string): number {
  return text.split('\n').findIndex((line) => line.includes('#!')) + 1;
}

/** @returns the lines of errors and warnings */
async function reportedLines(path: string): Promise<number[]> {
  const texts = await checkedContract(path).then(
    ({ errors, warnings }) => [...errors, ...warnings].map(textOf),
    (error) => error.errors as string[],
  );
  return texts.map((text) => Number(/openapi\.yaml:(\d+):/.exec(text)![1]));
}

/** Serves a contract whose request body is the schema of OpenAPI, as it is published. */
async function servedSchema(minor: number): Promise<(value: unknown) => Promise<boolean>> {
  const text = readFileSync(
    require.resolve(`@seriousme/openapi-schema-validator/schemas/v3.${minor}/schema.json`),
    'utf8',
  );
  writeFileSync(join(folder.path, 'schema.json'), text);
  // The schema of 3.0 is in draft 4, where a schema resource has an `id`.
  const schema = minor === 0 ? { $ref: 'schema.json' } : JSON.parse(text);
  const path = join(folder.path, 'api.json');
  const operation = {
    operationId: 'validate',
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 204: { description: 'The document is valid' } },
  };
  const document = {
    openapi: minor === 0 ? '3.1.0' : VERSIONS[minor],
    info: { title: 'OpenAPI', version: '1' },
    paths: { '/': { post: operation } },
  };
  writeFileSync(path, JSON.stringify(document));
  const { warnings } = await loadContractFiles(path);
  // In draft 4 `exclusiveMinimum` is a boolean.
  expect(warnings.filter(({ message }) => !message.includes('got a boolean'))).toEqual([]);
  const handlers = { validate: () => ({ status: 204 }) };
  const handle = fetchHandler(await createApi<undefined, Request>({ contract: path, handlers }));
  return async (value) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(value);
    const response = await handle(
      new Request('http://localhost/', { method: 'POST', headers, body }),
    );
    expect([204, 400]).toContain(response.status);
    return response.status === 204;
  };
}
