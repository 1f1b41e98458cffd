// Commands read a contract that is in memory only, or of which files of the disk are a part.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buffersOver } from '../../src/loading/containment.ts';
import { run } from '../../src/run.ts';

const contractOf = (ref: string) => `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
servers: [{url: /}]
paths:
  /toys:
    get:
      operationId: listToys
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: ${ref}}}}}
        default: {description: Failed}
`;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'buffers-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

async function command(argv: readonly string[], files: Record<string, string>) {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(cwd, name), text]));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(argv, { cwd, stdout, stderr, env: {}, sources: buffersOver(texts) });
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

describe('a contract in memory', () => {
  const files = {
    'openapi.yaml': contractOf('schemas/toys.yaml'),
    'new.yaml': contractOf('"#/components/schemas/T"').concat(
      'components: {schemas: {T: {type: array, items: {type: string}, maxItems: 3}}}\n',
    ),
    'schemas/toys.yaml': 'type: array\nitems: {type: string}\n',
  };

  it('is compared', async () => {
    const { out, err } = await command(['diff', 'openapi.yaml', 'new.yaml'], files);
    expect([out, err]).toEqual([expect.stringContaining('maxItems 3 was set'), '']);
    expect(out).toContain('schemas/toys.yaml:1:1 -> new.yaml:11:');
  });

  it('is bundled', async () => {
    expect(await command(['bundle'], files)).toMatchObject({
      code: 0,
      out: expect.stringContaining('type: array'),
    });
  });

  it('is checked, with the rules of the disk', async () => {
    expect(await command(['check'], files)).toMatchObject({ code: 0, err: '' });
    const invalid = { ...files, 'schemas/toys.yaml': 'type: arry\n' };
    const { code, out } = await command(['check'], invalid);
    expect([code, out]).toEqual([1, expect.stringContaining('schemas/toys.yaml:1:7  ')]);
  });

  it('is mocked', async () => {
    const { code } = await command(['mock', '--check', 'openapi.yaml'], files);
    expect(code).toBe(0);
  });

  it('is the source of generated files and of a client', async () => {
    expect(await command(['generate'], files)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(cwd, 'generated/contract.json'), 'utf8')).toContain('listToys');
    expect(await command(['client', 'openapi.yaml', 'sdk'], files)).toMatchObject({ code: 0 });
  });

  it('counts instead of the file, and refers to files of the disk', async () => {
    writeFileSync(join(cwd, 'openapi.yaml'), 'unsaved: [');
    writeFileSync(join(cwd, 'toys.yaml'), 'type: integer\n');
    const { code, out } = await command(['bundle'], { 'openapi.yaml': contractOf('toys.yaml') });
    expect([code, out]).toEqual([0, expect.stringContaining('type: integer')]);
  });
});
