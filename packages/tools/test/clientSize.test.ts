// The size of generated clients in a bundle.
import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

const KB = 1000;
/** The limits in kB of a client for JSON, and of everything. */
const LIMITS = { json: 6.5, all: 11 };

async function gzippedSize(source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'neutral',
    target: 'es2022',
    write: false,
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

/** The limits in kB of entries that only some contracts need, besides everything. */
const ENTRIES = {
  ...{ idempotency: 0.3, reconnect: 0.6, pages: 0.9 },
  ...{ conversions: 2.1, tanstack: 1.3 },
};

const JSON_ONLY = `
import { receiveJson, openConnection, operation, sendJson, unwrap } from '@stubwright/client';
const getToy = operation({
  id: 'getToy', method: 'GET', path: '/toys/{id}', bodies: { 'application/json': sendJson },
  replies: { 200: { content: { 'application/json': receiveJson({ properties: { id: 1 } }) } } },
});
console.log(await unwrap(getToy(openConnection({}, {}), { path: { id: 1n } })));`;

it('is at most 6.5 kB for JSON, 11 kB for everything, little for each entry, and nothing for an unused import', async () => {
  const used = await gzippedSize(JSON_ONLY);
  const all = await gzippedSize("export * from '@stubwright/client'");
  const unused = await gzippedSize(
    "import { operation } from '@stubwright/client'; console.log(1)",
  );
  const withEntry = (name: string) =>
    gzippedSize(`export * from '@stubwright/client'; export * from '@stubwright/client/${name}'`);
  for (const [entry, limit] of Object.entries(ENTRIES)) {
    const added = (await withEntry(entry)) - all;
    process.stdout.write(`@stubwright/client/${entry}: ${added} B\n`);
    expect(added).toBeLessThanOrEqual(limit * KB);
  }
  process.stdout.write(`@stubwright/client: ${used} B for JSON, ${all} B for everything\n`);
  expect(used).toBeLessThanOrEqual(LIMITS.json * KB);
  expect(all).toBeLessThanOrEqual(LIMITS.all * KB);
  expect(unused).toBeLessThan(100);
});

it('has the documented limits', () => {
  const pages = [
    ...globSync('docs/**/*.md', { exclude: ['**/node_modules/**'] }),
    ...globSync('packages/*/README.md'),
  ];
  const documented = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/runtime is at most ([\d.]+) kB/g)].map(
      ([, limit]) => `${page}: ${limit}`,
    ),
  );
  expect(documented).toEqual([`docs/stubwright/client-reference.md: ${LIMITS.json}`]);
});
