// `stubwright diff` with served versions: breaking changes that proven converters undo, and those that fail.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inTestAll } from '@stubwright/test-support/testAll';
import { createEmptyProject, type ToyProject } from '../support/toyProject.ts';
import { NEWER, OLDER } from './books.ts';

const HERE = resolve('packages/cli/test/proof');
/** A minor version, whose changes would fail. */
const MINOR = NEWER.replace('version: 2.0.0', 'version: 1.5.0');
const PROOF = 'generated/versions/1.4.0.proof.json';
const PROVE = 'expected a proof: npx stubwright replay --versions\n';
let project: ToyProject;

beforeEach(async () => {
  project = createEmptyProject([]);
  project.write('package.json', '{"type":"module"}');
  const service = `import { handlers } from '${HERE}/service.ts';\nexport const service = { handlers };\n`;
  project.write('src/service.ts', service);
  project.write('openapi.yaml', OLDER);
  await project.run('release', '--no-client');
  project.write('openapi.yaml', MINOR);
  await project.run('serve-version', '1.4.0', '--path', '/v1');
  project.write('src/versions/helper.ts', '// Nothing yet.\nexport {};\n');
  writeConverters('');
});
afterEach(() => project.remove());

function writeConverters(change: string): void {
  project.write(
    'src/versions/1.4.0.ts',
    `import './helper.ts';
import { correctConverters } from '${HERE}/books.ts';
export const converters = correctConverters();
${change}
`,
  );
}

const isProven = () => existsSync(join(project.path, PROOF));

async function prove(): Promise<void> {
  const { out } = await project.run('replay', '--versions');
  expect(out).toContain(': proven\n');
  expect(isProven()).toBe(true);
}

describe('stubwright diff --check with a served version', () => {
  it('passes converted changes in a minor version once they are proven', async () => {
    const { status, err } = await project.run('diff', '--check');
    expect(status).toBe(1);
    expect(err).toContain('breaking changes since 1.4.0, which is served: ');
    expect(err).toContain(`${PROOF} does not exist, ${PROVE}`);
    await prove();
    expect(await project.run('diff', '--check')).toEqual({ status: 0, out: '', err: '' });
    const released = await project.run('release', '--no-client');
    expect(released).toMatchObject({ status: 0, err: '' });
  });

  inTestAll(it)('fails whatever the version number says', async () => {
    project.write('openapi.yaml', NEWER);
    const { status, err } = await project.run('diff', '--check');
    expect(status).toBe(1);
    expect(err).toContain(PROVE);
    await prove();
    expect((await project.run('diff', '--check')).status).toBe(0);
  });

  inTestAll(it).each([
    [
      'the contract',
      () => project.write('openapi.yaml', MINOR.replace('[en, de]', '[en, de, fr]')),
    ],
    ['the converters', () => writeConverters('// Another comment.')],
    ['a module that they import', () => project.write('src/versions/helper.ts', 'export {};\n')],
  ])('fails if %s changed after the proof', async (_, change) => {
    await prove();
    change();
    const { status, err } = await project.run('diff', '--check');
    expect(status).toBe(1);
    expect(err).toContain(`${PROOF} is of other files, ${PROVE}`);
  });

  inTestAll(it)('forgets a proof that fails', async () => {
    await prove();
    const text = project.read('src/versions/1.4.0.ts');
    // An imported module is cached: another path.
    project.write('src/versions/other.ts', `${text}delete converters.statuses[410];\n`);
    const policy = project.read('compatibility.yaml');
    project.write('compatibility.yaml', `${policy}      converters: src/versions/other.ts\n`);
    expect((await project.run('replay', '--versions')).status).toBe(1);
    expect(isProven()).toBe(false);
  });

  inTestAll(it)('fails for a change that no converter undoes', async () => {
    const secured = MINOR.replace(
      'openapi: 3.1.0',
      'openapi: 3.1.0\nsecurity: [{key: []}]\nx-unused: 1',
    ).replace(
      'components:\n',
      'components:\n  securitySchemes:\n    key: {type: apiKey, in: header, name: X-Key}\n',
    );
    project.write('openapi.yaml', secured.replace('version: 1.5.0', 'version: 2.0.0'));
    project.write(
      'src/service.ts',
      `import { handlers } from '${HERE}/service.ts';
export const service = { handlers, verifiers: () => ({ key: () => ({ name: 'k' }) }) };
`,
    );
    await project.run('replay', '--versions');
    const { status, out } = await project.run('diff', '--check');
    expect(status).toBe(1);
    expect(out).toContain('security-requirement-');
  });

  inTestAll(it)('compares with each served version, and each link of a chain', async () => {
    const middle = OLDER.replace('version: 1.4.0', 'version: 1.4.5');
    project.write('test/released/1.4.5.yaml', middle);
    project.write(
      'test/released/1.4.5.requests.json',
      project.read('test/released/1.4.0.requests.json'),
    );
    await project.run('serve-version', '1.4.5', '--path', '/v145');
    project.write('src/versions/1.4.5.ts', project.read('src/versions/1.4.0.ts'));
    project.write('src/versions/1.4.0.ts', 'export const converters = {};\n');
    const { err } = await project.run('diff', '--check');
    expect(err).toMatch(/^\d+ breaking changes since 1\.4\.5, which is served: /m);
    expect(err).toMatch(/^\d+ breaking changes since 1\.4\.0, which is served: /m);
    await project.run('replay', '--versions');
    expect(await project.run('diff', '--check')).toEqual({ status: 0, out: '', err: '' });
  });

  inTestAll(it)('keeps the proof among the generated files', async () => {
    await prove();
    await project.run('generate', '--out', 'generated/contract.ts');
    expect(isProven()).toBe(true);
  });
});

describe('the reports of converted changes', () => {
  it('say the same in each format', async () => {
    await prove();
    const text = await project.run('diff');
    expect(text.status).toBe(0);
    expect(text.out).toContain('  converted  maximum 100 became 50: ');
    expect(text.out).toContain('Converters serve the clients of 1.4.0. (');
    expect(text.out).toMatch(/: 0 breaking, \d+ converted, \d+ risky, \d+ compatible\n/);
    const { out: json } = await project.run('diff', '--format', 'json');
    const { severity, changes } = JSON.parse(json);
    expect(severity).toBe('converted');
    expect(changes.map((each: { severity: string }) => each.severity)).not.toContain('breaking');
    for (const format of ['sarif', 'junit', 'github', 'markdown']) {
      const { out, status } = await project.run('diff', '--format', format);
      expect({ format, status }).toEqual({ format, status: 0 });
      expect(out).toContain('Converters serve the clients of 1.4.0.');
      expect(out).not.toMatch(/::error|"level": "error"|<failure|### breaking/);
    }
    const { out: changelog } = await project.run('changelog');
    expect(changelog).toContain('## Converted changes\n');
    expect(changelog).not.toContain('## Breaking changes\n');
  });
});
