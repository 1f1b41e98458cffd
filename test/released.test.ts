// Replays clients of every released contract against the current service.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { testClient } from 'stubwright/testing';
import { EXEMPTIONS, exemptionsIn } from '../packages/cli/src/coverage/exemptions.ts';
import { releasesIn } from '../packages/cli/src/diff/report/releases.ts';
import { loadContractFiles } from '../packages/cli/src/loading/load.ts';
import {
  type RecordedRequest,
  unrecordedResponses,
} from '../packages/cli/src/release/conversations.ts';
import type { LoadedContract } from '../packages/stubwright/src/contract/bundle.ts';
import type { Definition } from '../packages/stubwright/src/document/definition.ts';
import { shapeOf } from '../packages/stubwright/src/media/styles/shape.ts';
import { Validators } from '../packages/stubwright/src/schema/validator.ts';
import { bodyOf, recordedFor, replay } from './support/replay.ts';
import type { TestService } from './support/service.ts';
import { startIn } from './support/situations.ts';

const releases = releasesIn('test/released');

describe.each(releases)('a client of $version', ({ version, path }) => {
  const conversations = recordedFor(path);
  const isNewest = version === releases.at(-1)!.version;
  let contract: LoadedContract;
  let released: Definition;
  let service: TestService | undefined;

  beforeAll(async () => {
    contract = await loadContractFiles(path);
    released = contract.definition;
  });
  afterEach(async () => {
    await service?.remove();
    service = undefined;
  });

  it.each(conversations)(
    'gets responses that its contract allows: $name',
    async ({ situation, requests }) => {
      service = await startIn(situation);
      const target = service.url;
      // Later versions may add properties.
      const client = await testClient({ contract, target, undeclaredProperties: 'allow' });
      for (const recorded of requests) {
        const { status } = await replay(target, client, recorded);
        // Later versions may accept more requests, but not fewer.
        if (isNewest || recorded.status < 300) expect(status).toBe(recorded.status);
        const { operationId } = recorded;
        expect(client.seen).toContain(`${operationId} ${status} application/json`);
      }
    },
  );

  it('has a recorded request for every declared response', () => {
    const exemptions = exemptionsIn(EXEMPTIONS);
    expect(unrecordedResponses(released, conversations, exemptions)).toEqual([]);
  });
});

/** The types that a program for a release is compiled with. */
const VARIANTS = ['released', 'current', 'withoutProperty', 'withoutPath'] as const;
type Variant = (typeof VARIANTS)[number];

describe('a program for the types of', () => {
  const folder = resolve('build/released');
  let output: string;

  // All programs in one tsc run: most of its time is spent on the library types, which they share.
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    for (const { version, path } of releases) await writePrograms(join(folder, version), path);
    writeFileSync(join(folder, 'tsconfig.json'), TSCONFIG);
    const tsc = resolve('node_modules/typescript/bin/tsc');
    output = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;
  }, 120_000);

  /** @returns the errors of `tsc --strict` in the program; '' on success */
  function compilerErrors(version: string, variant: Variant): string {
    const own = output
      .split(/\n(?=\S)/)
      .filter((error) => error.startsWith(`${version}/${variant}/`));
    return own.join('\n');
  }

  it('reports no errors outside of the programs', () => {
    const programs = releases.flatMap(({ version }) =>
      VARIANTS.map((each) => `${version}/${each}/`),
    );
    const outside = output
      .split(/\n(?=\S)/)
      .filter((error) => error.trim() !== '' && !programs.some((each) => error.startsWith(each)));
    expect(outside).toEqual([]);
  });

  describe.each(releases)('$version', ({ version }) => {
    it.each(['released', 'current'] as const)('compiles with the %s types', (variant) => {
      expect(compilerErrors(version, variant)).toBe('');
    });

    it('does not compile without a property that it reads', () => {
      const [, property] = /data\?\.\["(\w+)"\]/.exec(
        readFileSync(join(folder, version, 'released/program.ts'), 'utf8'),
      )!;
      expect(compilerErrors(version, 'withoutProperty')).toContain(`'${property}'`);
    });

    it('does not compile without a path that it calls', () => {
      expect(compilerErrors(version, 'withoutPath')).toContain(
        'not assignable to parameter of type \'"/elsewhere"\'',
      );
    });
  });
});

/** Writes the program of a release, once for each variant of its types. */
async function writePrograms(folder: string, path: string): Promise<void> {
  const { definition: released } = await loadContractFiles(path);
  const accepted = recordedFor(path)
    .flatMap(({ requests }) => requests)
    .filter(({ status, isUntyped }) => status < 300 && !isUntyped);
  const [property] = propertiesOf(accepted[0]!, released);
  const text = readFileSync(path, 'utf8');
  const contracts: Record<Variant, string> = {
    released: text,
    current: readFileSync('openapi.yaml', 'utf8'),
    withoutProperty: text.replaceAll(`\n        ${property}:`, '\n        other:'),
    withoutPath: text.replace(`\n  ${accepted[0]!.path}:`, '\n  /elsewhere:'),
  };
  for (const variant of VARIANTS) {
    const own = join(folder, variant);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'types.ts'), astToString(await openapiTypescript(contracts[variant])));
    writeFileSync(join(own, 'program.ts'), programOf(accepted, released));
  }
}

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['*/*/*.ts'],
});

/** A typed call for each accepted request, which reads every property of the response. */
function programOf(requests: readonly RecordedRequest[], released: Definition): string {
  const calls = requests.map((recorded, index) => {
    const { method, path, params } = recorded;
    const init = [
      params === undefined ? '' : `params: ${JSON.stringify(params)},`,
      bodyOf(recorded) === undefined ? '' : `body: ${bodyOf(recorded)},`,
    ];
    const properties = propertiesOf(recorded, released).map(
      (name) => `data?.[${JSON.stringify(name)}]`,
    );
    return `export async function call${index}() {
  const { data } = await client.${method.toUpperCase()}('${path}', { ${init.join(' ')} });
  return [${properties.join(', ')}];
}`;
  });
  return `import createClient from 'openapi-fetch';
import type { paths } from './types.ts';
const client = createClient<paths>({ baseUrl: '' });
${calls.join('\n')}
`;
}

function propertiesOf({ operationId, status }: RecordedRequest, released: Definition): string[] {
  const operation = released.operations.find((each) => each.operationId === operationId)!;
  const response = operation.responses.get(String(status))!;
  const validators = new Validators(released, 'response');
  const schema = validators.model.at(`${response.pointer}/content/application~1json/schema`);
  return [...shapeOf(schema, validators).names];
}
