// Runs the examples of pages: `node docs/examples.ts PAGE...` writes a line of JSON for each page.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { formatWithOptions } from 'node:util';

/** The pages with an example that needs the packages of this project only. */
export const PAGES = globSync('docs/stubwright/*.md')
  .filter((page) => readFileSync(page, 'utf8').includes('\n// try.ts\n'))
  .sort();

/** What a page documents and what its example prints: the lines of `console.log`, in order. */
export interface Example {
  readonly page: string;
  readonly documented: readonly string[];
  readonly printed: readonly string[];
}

/** @returns the blocks whose first line is the name of a file, by this name */
export function filesOf(page: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, block = ''] of readFileSync(page, 'utf8').matchAll(/^```\w+\n(.*?)^```$/gms)) {
    const [, file] = /^(?:#|\/\/|--) ([\w./-]+\.\w+)$/.exec(block.split('\n', 1)[0]!) ?? [];
    if (file !== undefined) files.set(file, block);
  }
  return files;
}

/** Writes the example of a page into a folder, with the generated types of its contract. */
export async function writeExample(page: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of filesOf(page)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  let errors = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      errors += chunk;
      done();
    },
  });
  const io = { cwd: folder, env: {}, stdout: new Writable({ write: (_, __, done) => done() }) };
  const { run } = await import('../packages/cli/src/run.ts');
  const code = await run(['generate'], { ...io, stderr });
  if (code !== 0) throw new Error(`${page}: ${errors}`);
}

/** @returns the comments after `console.log(…);` */
export function documentedOutput(file: string): string[] {
  return [...file.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output]) => output!);
}

/** Runs `try.ts` in the folder of an example. */
async function outputOf(folder: string): Promise<string[]> {
  const printed: string[] = [];
  const [log, cwd] = [console.log, process.cwd()];
  console.log = (...values) => {
    printed.push(formatWithOptions({ breakLength: Number.POSITIVE_INFINITY }, ...values));
  };
  process.chdir(folder);
  try {
    await import(pathToFileURL(join(folder, 'try.ts')).href);
  } finally {
    process.chdir(cwd);
    console.log = log;
  }
  return printed;
}

if (import.meta.main) {
  const [target = '', ...pages] = process.argv.slice(2);
  for (const page of pages) {
    const folder = resolve(target, basename(page, '.md'));
    await writeExample(page, folder);
    const documented = documentedOutput(filesOf(page).get('try.ts') ?? '');
    const example: Example = { page, documented, printed: await outputOf(folder) };
    process.stdout.write(`${JSON.stringify(example)}\n`);
  }
  // Handles that an example leaves open do not keep the process.
  process.exit();
}
