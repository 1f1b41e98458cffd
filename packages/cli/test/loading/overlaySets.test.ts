// The sets of documents, overlays and outputs for tools that apply overlays: overlay-sets/README.md.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { applyOverlays } from '../../src/loading/overlay.ts';
import { parseText } from '../../src/loading/parse.ts';
import { createFolder } from '../support/toyProject.ts';

const FOLDER = resolve('packages/cli/test/loading/overlay-sets');
const textOf = (file: string) => readFileSync(`${FOLDER}/${file}.yaml`, 'utf8');

/** @returns the value of a contract in memory, whose overlay is applied */
function overlaid(contract: string, overlay: string): unknown {
  const { value, positions } = parseText(contract, false) as never;
  const given = [{ file: 'overlay.yaml', text: overlay }];
  const result = applyOverlays({ file: 'openapi.yaml', value, positions }, given);
  expect([result.errors, result.warnings]).toEqual([[], []]);
  return result.value;
}

describe.each([
  ['town', 'building-description', 'town-building-description'],
  ['petstore', 'overlay', 'output1'],
  ['town', 'remove-example', 'town-remove-example'],
  ['responses', 'remove-responses', 'remove-responses'],
  ['town', 'remove-properties', 'town-remove-properties'],
  ['openapi-with-servers', 'remove-server', 'one-less-server'],
  ['town', 'update-root', 'town-root-updated'],
  ['town', 'remove-descriptions', 'town-remove-descriptions'],
])('%s with %s', (contract, overlay, output) => {
  const files = [textOf(`openapi/${contract}`), textOf(`overlays/${overlay}`)] as const;
  const expected = parse(textOf(`expected/${output}`));

  it('has the expected value', () => {
    expect(overlaid(...files)).toEqual(expected);
  });

  it('is the bundle, or is refused as no valid contract', async () => {
    using project = createFolder();
    project.write('openapi.yaml', files[0]);
    project.write('overlay.yaml', files[1]);
    const args = ['openapi.yaml', '--overlay', 'overlay.yaml'] as const;
    const { status, out, err } = await project.run('bundle', ...args);
    if (contract === 'petstore') expect(err).toContain('overlay.yaml:21:5  responses is missing');
    else expect([status, parse(out)]).toEqual([0, expected]);
  });
});
