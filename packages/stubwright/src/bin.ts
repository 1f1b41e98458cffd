#!/usr/bin/env node
// The command `stubwright` is in @stubwright/cli; this runs it for `npx stubwright`, installed or not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CLI = '@stubwright/cli';
const installed = commandFrom(join(process.cwd(), 'package.json')) ?? commandFrom(import.meta.url);
if (installed !== undefined) await import(pathToFileURL(installed).href);
else runOfRegistry();

/** @returns the file of the command; undefined if the package is not installed there */
function commandFrom(from: string): string | undefined {
  try {
    const manifest = createRequire(from).resolve(`${CLI}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), bin.stubwright);
  } catch {
    return undefined;
  }
}

function runOfRegistry(): void {
  const { version } = createRequire(import.meta.url)('stubwright/package.json');
  const args = ['exec', '--yes', `--package=${CLI}@${version}`, '--', 'stubwright'];
  const { npm_execpath: npm } = process.env;
  const [file, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const run = spawnSync(file, [...first, ...args, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (run.error !== undefined) {
    process.stderr.write(`stubwright: expected ${CLI} or npm: ${run.error.message}\n`);
  }
  process.exitCode = run.status ?? 2;
}
