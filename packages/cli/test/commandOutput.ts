// Writes the formats and the reports of commands as text: `make transcripts`. The pages of commands have the options of each.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { harEntry, jsonLines } from './support/recordings.ts';
import { createEmptyProject, type ToyProject } from './support/toyProject.ts';

export const COMMAND_OUTPUT = 'packages/cli/test/generated/commands.txt';

const FORMATS = ['text', 'json', 'github', 'sarif', 'junit'];

const OLD = readFileSync('packages/cli/test/generated/toys.yaml', 'utf8');

/** Violates the rules of stubwright/strict, beside valid forms of the same parts. */
const STRICT = readFileSync('packages/cli/test/generated/strict.yaml', 'utf8');

const CHANGES: readonly (readonly [string, string])[] = [
  ['version: 1.0.0', 'version: 1.1.0'],
  ['maximum: 100', 'maximum: 60'],
  ['[name, age]', '[name]'],
  ['summary: Toys', 'summary: All toys'],
  ['maxLength: 40', 'maxLength: 10'],
  ['tag: {type: string}, ', 'size: {type: integer}, '],
  ['    delete: {operationId: deleteToy', '    put: {operationId: putToy'],
  [", '409': {description: taken}", ''],
  ['scheme: bearer', 'scheme: basic'],
];

function entry([caller, day, method, path, body, status = 200]: Row): object {
  const content = { mimeType: 'application/json', text: '{"name":"a","tag":"b"}' };
  return harEntry({
    ...{ caller, day, method, path: `/v1${path}`, body },
    headers: [{ name: 'Authorization', value: 'Bearer secret' }],
    response: { status, headers: [], content },
  });
}

type Row = readonly [string, number, string, string, body?: string | undefined, status?: number];
const TRAFFIC: readonly Row[] = [
  ['web', 1, 'GET', '/toys?limit=10&sort=name'],
  ['web', 2, 'GET', '/toys?limit=50&sort=age'],
  ['batch', 9, 'GET', '/toys?limit=90'],
  ['mobile', 20, 'POST', '/toys', '{"name":"Teddy bear","id":9007199254740993}', 201],
  ['web', 20, 'POST', '/toys', '{"name":"A very long name of a toy","tag":"soft"}', 201],
  ['web', 28, 'POST', '/toys', '{"tag":"without a name"}', 400],
  ['web', 29, 'GET', '/toys/1'],
  ['batch', 29, 'GET', '/toys/2', undefined, 404],
  ['batch', 29, 'DELETE', '/toys/1', undefined, 204],
  ['other', 30, 'GET', '/elsewhere', undefined, 404],
  ['web', 3, 'GET', '/toys?limit=70&sort=age'],
  ['batch', 5, 'DELETE', '/toys/3', undefined, 204],
];

/** A line of a recording of counts. */
function usage(
  caller: string,
  operation: string,
  days: readonly number[],
  ...parts: Part[]
): object {
  const [first, last] = days.map((day) => `2025-11-${String(day).padStart(2, '0')}T10:00:00.000Z`);
  const used = parts.map(([subject, path, value]) => ({
    ...{ subject, path, count: 2, first, last },
    ...(value !== undefined && { value }),
    ...(subject === 'request body' && { mediaType: 'application/json' }),
  }));
  const counts = { requests: 4, valid: 3, responses: { 200: 3, 400: 1 } };
  return { usage: 2, caller, operation, contract: '1.0.0', ...counts, first, last, parts: used };
}

type Part = readonly [subject: string, path: readonly (string | null)[], value?: string];
const USAGE = [
  usage(
    'web',
    'GET /toys',
    [10, 20],
    ['query parameter sort', [], 'age'],
    ['query parameter sort', []],
  ),
  usage(
    'web',
    'GET /toys',
    [1, 12],
    ['query parameter sort', [], 'age'],
    ['query parameter sort', []],
  ),
  usage('app', 'DELETE /toys/{id}', [3, 4], ['path parameter id', []]),
  usage(
    'app',
    'POST /toys',
    [5, 9],
    ['request body', []],
    ['request body', ['name']],
    ['request body', ['tag']],
  ),
];

function commands(): readonly (readonly string[])[] {
  const traffic = ['--traffic', 'traffic.jsonl', '--caller', 'X-App'];
  const ofDiff = ['diff', 'old.yaml', 'new.yaml'];
  return [
    // The description, the options of all commands and the examples, which the pages leave out.
    ...[
      ['check', '--help'],
      ['--help'],
      ['--version-of-none'],
      ['none'],
      ['diff', '--format', 'none'],
    ],
    ...[...FORMATS, 'markdown'].map((format) => [...ofDiff, '--format', format]),
    [...ofDiff, '--all'],
    [...ofDiff, '--check', '--fail-on', 'risky'],
    [...ofDiff, '--fail-on', 'none'],
    ...['text', 'json', 'markdown'].map((format) => [...ofDiff, ...traffic, '--format', format]),
    [...ofDiff, ...traffic, '--fail-on', 'used'],
    [...ofDiff, '--traffic', 'usage.jsonl'],
    [...ofDiff, ...traffic, '--traffic', 'usage.jsonl'],
    ['check', 'old.yaml', '--traffic', 'usage.jsonl'],
    ...FORMATS.map((format) => ['check', 'old.yaml', '--format', format]),
    ['check', 'old.yaml', '--max-warnings', '0'],
    ['check', 'old.yaml', '--errors', 'numbered'],
    ['check', 'none.yaml'],
    ['check', 'old.yaml', ...traffic],
    ['check', 'new.yaml', ...traffic],
    ['release', 'old.yaml'],
    ['release', 'old.yaml'],
    ['release', 'new.yaml'],
    ['diff', 'latest', 'new.yaml'],
    ['changelog', 'new.yaml'],
    ['changelog', 'new.yaml', '--from', '1.0.0', '--to', 'new.yaml'],
    ['bundle', 'old.yaml'],
    ['serve-version', '--contract', 'new.yaml', '--until', '2999-06-30', '--path', '/v1', '1.0.0'],
    ['serve-version', '--contract', 'new.yaml', '--list'],
    ['serve-version', '--contract', 'new.yaml', '2.0.0'],
  ];
}

const INITS = [
  ...['sqlite', 'postgres'].map((name) => ['--store', name]),
  ...['pnpm', 'yarn'].map((name) => ['--package-manager', name]),
  ...['jest', 'vitest'].map((name) => ['--test', name]),
];
const WRITTEN = [
  'test/released/1.0.0.requests.json',
  ...['compatibility.yaml', 'src/versions/1.0.0.ts'],
];

/** @returns what each command prints, and the files that they write */
export async function commandOutput(): Promise<string> {
  using project = createEmptyProject();
  project.write('old.yaml', OLD);
  const changed = CHANGES.reduce((text, [from, to]) => text.replace(from, to), OLD);
  project.write('new.yaml', changed);
  project.write('traffic.jsonl', jsonLines(TRAFFIC.map(entry)));
  project.write('usage.jsonl', jsonLines(USAGE));
  const sections: string[] = [];
  for (const [command = '', ...args] of commands()) {
    const { status, out, err } = await project.run(command, ...args);
    const format = /\b(?:json|sarif)$/.exec(args.join(' '))?.[0];
    const shown = format === undefined ? out : compact(out, format === 'sarif' ? 2 : 1);
    sections.push(`$ ${[command, ...args].join(' ')} # ${status}\n${shown}${err}`);
  }
  for (const file of WRITTEN) sections.push(`--- ${file}\n${project.read(file)}`);
  project.write('strict.yaml', STRICT);
  for (const rule of ['', 'rules: {stubwright/error-body: {severity: warn, schema: toy}}']) {
    const config = `plugins: ['@stubwright/cli/redocly']\nextends: [stubwright/strict]\n${rule}\n`;
    project.write('redocly.yaml', config);
    const { status, out, err } = await project.run('check', 'strict.yaml');
    sections.push(`$ check strict.yaml # ${status} ${rule}\n${out}${err}`);
  }
  const plain = await initialized(project, []);
  const inits = [plain];
  for (const args of INITS) inits.push(await initialized(project, args, plain));
  sections.push(...inits.map((text) => text.replaceAll(VERSIONS, '"VERSION"')));
  return withoutRepetition(sections.join('\n').replaceAll(/\d+ days left/g, 'DAYS days left'));
}

/** @returns the text with a count instead of lines that stand in it before */
function withoutRepetition(text: string): string {
  const known = new Set<string>();
  let repeated = 0;
  const shown = text.split('\n').flatMap((line) => {
    if (known.has(line)) {
      repeated++;
      return [];
    }
    known.add(line);
    const count = repeated;
    repeated = 0;
    return count === 0 ? [line] : [`(${count} lines as before)`, line];
  });
  return `${[...shown, `(${repeated} lines as before)`].join('\n')}\n`;
}

/** @returns JSON with a line for each value of so many outer levels; a list is no level */
function compact(json: string, levels: number): string {
  const lines = (value: unknown, path: string, depth: number): string[] =>
    depth === 0 || typeof value !== 'object' || value === null
      ? [`${path}: ${JSON.stringify(value)}`]
      : Object.entries(value).flatMap(([key, child]) => {
          return lines(child, `${path}/${key}`, depth - (Array.isArray(child) ? 0 : 1));
        });
  return `${lines(JSON.parse(json), '', levels).join('\n')}\n`;
}

/** The other files are templates. */
const SHOWN = /package\.json$|README\.md$/;
/** Written by other tests, or with the versions of packages. */
const HIDDEN = /contract\.(?:ts|json)$|openapi\.yaml$|^\.github/;
const VERSIONS = /"[~^]?\d+\.\d+\.\d+[^"]*"/g;

/** @param plain the text without options: of other texts, the files that differ from it are shown */
async function initialized(
  project: ToyProject,
  args: readonly string[],
  plain = '',
): Promise<string> {
  const folder = `service${args.join('')}`;
  const run = await project.run('init', 'old.yaml', folder, '--no-install', ...args);
  const path = join(project.path, folder);
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(path.length + 1))
    .sort();
  const shown = files.filter((file) => SHOWN.test(file) && !HIDDEN.test(file));
  const texts = shown.map((file) => `--- ${file}\n${readFileSync(join(path, file), 'utf8')}`);
  return [
    `$ init ${args.join(' ')} # ${run.status}\n${run.out}${run.err}${files.join('\n')}`,
    ...texts.filter((text) => !plain.includes(text)),
  ].join('\n');
}

if (import.meta.main) writeFileSync(COMMAND_OUTPUT, await commandOutput());
