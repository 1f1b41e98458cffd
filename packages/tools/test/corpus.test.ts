// `make corpus`, as a process in a temporary folder.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { toy, withFiles } from '@stubwright/test-support/contractFiles';
import { inTestAll } from '@stubwright/test-support/testAll';

const GOOD = toy({
  paths: `{"/toys/{id}":{
    "parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],
    "post":{"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}},
      "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"integer"}}}}}}}}`,
});

function corpus(files: Record<string, string>) {
  return withFiles(files, async (_load, folder) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['packages/tools/src/corpus/corpus.ts', folder],
      { encoding: 'utf8', env: { PATH: '' } },
    );
    return { status, stdout, stderr };
  });
}

describe('make corpus', () => {
  inTestAll(it)(
    'sweeps the contracts of a folder and the entries of multi/',
    async () => {
      const { status, stdout } = await corpus({
        'good.json': GOOD,
        'multi/ENTRIES': 'multi/one/openapi.json\n',
        'multi/one/openapi.json': GOOD,
      });
      expect(stdout).toContain(
        '2 contracts, 2 started, 2 without a failure; 2 operations, 0 disabled, 2 valid and 10 invalid requests, 0 failures',
      );
      expect(status).toBe(0);
    },
    60_000,
  );

  inTestAll(it)(
    'exits with 1 for a contract that does not start',
    async () => {
      const { status, stdout } = await corpus({
        'good.json': GOOD,
        'swagger.json': '{"swagger":"2.0"}',
      });
      expect(stdout).toMatch(/not started: .*swagger\.json:1:\d+ {2}swagger is 2\.0/);
      expect(stdout).toContain('2 contracts, 1 started, 1 without a failure');
      expect(status).toBe(1);
    },
    60_000,
  );

  inTestAll(it)(
    'exits with 1 for an operation without a valid request',
    async () => {
      const paths = `{"/a":{"put":{"requestBody":{"required":true,"content":{"application/json":{"schema":
      {"type":"integer","minimum":2,"maximum":1}}}},"responses":{"204":{"description":"ok"}}}}}`;
      const { status, stdout } = await corpus({ 'a.json': toy({ paths }) });
      expect(stdout).toMatch(/1 × no valid request: .* \(PUT \/a\)/);
      expect(status).toBe(1);
    },
    60_000,
  );

  inTestAll(it)('rejects a folder without contracts', async () => {
    expect(await corpus({ 'a.txt': '' })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^DIR: got .*, expected a folder with contracts\n$/),
    });
  });
});
