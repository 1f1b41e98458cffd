// Prints the size of the project: lines of code, files, and the own files and functions that a request or a command runs.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = /^packages\/[^/]+\/src\//;
const TEST = /^(?:packages\/[^/]+\/)?test\/|^packages\/test-support\//;
const OWN = new RegExp(
  `^file://${ROOT.replaceAll('/', '\\/')}(packages\\/(?!tools\\/)[^/]+\\/src|src)\\/`,
);
const WARM_UP_REQUESTS = 3000;

/** @returns the lines with code, as cloc counts them: no blank lines, no comments */
function linesOfCode(path: string): number {
  const text = readFileSync(ROOT + path, 'utf8');
  if (!/\.[cm]?[jt]sx?$/.test(path)) return text.split('\n').filter((line) => line.trim()).length;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    if (ts.isToken(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      for (let line = first; line <= last; line++) lines.add(line);
    } else for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  // The end of the file is a token without text.
  const { line: end } = source.getLineAndCharacterOfPosition(text.length);
  if (text.split('\n')[end]?.trim() === '') lines.delete(end);
  return lines.size;
}

interface Executed {
  readonly files: number;
  readonly functions: number;
}

/** @returns what one `POST /plants` runs after a warm-up, by precise coverage */
async function executedByCreate(folder: string): Promise<Executed> {
  const { startService } = await import('@stubwright/service');
  const { service } = await import('../../../src/service.ts');
  const env = {
    PORT: '0',
    API_TOKENS: 'size',
    LOG_LEVEL: 'error',
    DATABASE_URL: `sqlite:${folder}/plants.db`,
  };
  process.chdir(ROOT);
  const running = await startService({ ...service, env });
  const create = async (id: number) => {
    const response = await fetch(`${running.url}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer size', 'content-type': 'application/json' },
      body: JSON.stringify({ id, name: 'Monstera' }),
    });
    if (response.status !== 200) throw new Error(`got ${response.status}, expected 200`);
    await response.arrayBuffer();
  };
  const session = new Session();
  session.connect();
  try {
    for (let id = 1; id <= WARM_UP_REQUESTS; id++) await create(id);
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await create(WARM_UP_REQUESTS + 1);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const counts = result
      .filter(({ url }) => OWN.test(url))
      .map(({ functions }) => functions.filter(({ ranges }) => ranges[0]!.count > 0).length);
    return {
      files: counts.filter((count) => count > 0).length,
      functions: counts.reduce((sum, count) => sum + count, 0),
    };
  } finally {
    session.disconnect();
    await running.stop();
  }
}

/** Reports the URLs of loaded modules when the process ends. */
const REPORT_MODULES = `
import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
const loaded = new Set();
registerHooks({ load: (url, context, next) => { loaded.add(url); return next(url, context); } });
process.on('exit', () => writeSync(2, '\\nMODULES ' + JSON.stringify([...loaded])));`;

/** @returns the modules that a command loads: own files, and files of libraries */
function modulesOf(...args: readonly string[]): { ownFiles: number; libraries: number } {
  const preload = `data:text/javascript,${encodeURIComponent(REPORT_MODULES)}`;
  const command = ['--import', preload, `${ROOT}packages/cli/src/main.ts`, ...args];
  const { stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  const urls: string[] = JSON.parse(/^MODULES (.*)$/m.exec(stderr)![1]!);
  const ownFiles = urls.filter((url) => OWN.test(url)).length;
  return { ownFiles, libraries: urls.filter((url) => url.includes('/node_modules/')).length };
}

function print(...cells: readonly (string | number)[]): void {
  const [first, ...numbers] = cells;
  const shown = numbers.map((number) => number.toLocaleString('en').padStart(10));
  process.stdout.write(`${String(first).padEnd(34)}${shown.join('')}\n`);
}

const files = execFileSync('git', ['ls-files', '--cached'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => existsSync(ROOT + path));
const isCode = (path: string) => /\.(?:[cm]?[jt]s|css)$/.test(path);
const codeIn = (pattern: RegExp) => {
  const paths = files.filter((path) => pattern.test(path) && isCode(path));
  return [paths.reduce((sum, path) => sum + linesOfCode(path), 0), paths.length] as const;
};

process.stdout.write(`${' '.repeat(34)}${'lines'.padStart(10)}${'files'.padStart(10)}\n`);
for (const name of [
  ...new Set(files.flatMap((path) => /^packages\/([^/]+)\/src\//.exec(path)?.[1] ?? [])),
]) {
  print(`packages/${name}/src`, ...codeIn(new RegExp(`^packages/${name}/src/`)));
}
print('packages/*/src', ...codeIn(SOURCE));
print('tests', ...codeIn(TEST));
const recorded = files.filter((path) => TEST.test(path) && path.endsWith('.txt'));
const recordedLines = recorded.map(
  (path) => readFileSync(ROOT + path, 'utf8').split('\n').length - 1,
);
print(
  'recorded text',
  recordedLines.reduce((sum, count) => sum + count, 0),
  recorded.length,
);

const folder = mkdtempSync(join(tmpdir(), 'size-'));
try {
  process.stdout.write(
    `\n${' '.repeat(34)}${'own files'.padStart(10)}${'functions'.padStart(10)}${'libraries'.padStart(10)}\n`,
  );
  const { files: executed, functions } = await executedByCreate(folder);
  print('one POST /plants', executed, functions);
  for (const args of [
    ['diff', 'test/released/1.0.0.yaml', 'openapi.yaml'],
    ['client', 'openapi.yaml', join(folder, 'client')],
  ]) {
    const { ownFiles, libraries } = modulesOf(...args);
    process.stdout.write(
      `${args[0]!.padEnd(34)}${String(ownFiles).padStart(10)}${' '.repeat(10)}${String(libraries).padStart(10)}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
