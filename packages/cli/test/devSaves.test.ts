// Each kind of broken save in `stubwright dev`: its cause with its location, once, and nothing that follows from it.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningCommand, runCommand, startProcess } from './support/command.ts';
import { createEmptyProject, type ToyProject } from './support/toyProject.ts';

const CONTRACT = `openapi: 3.1.0
info: { title: Toys, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: "https://toys.example" }]
security: []
paths:
  /toys:
    get:
      operationId: listToys
      responses:
        "200": { $ref: "responses.yaml#/Toys" }
        default: { description: An error. }
    post:
      operationId: storeToy
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Toy" } } } }
      responses:
        "201": { description: Stored. }
        default: { description: An error. }
components:
  schemas:
    Toy: { type: object, properties: { name: { type: string } } }
`;
const RESPONSES =
  'Toys: { description: The toys., headers: { X: { schema: { type: string } } } }\n';
const HANDLERS = `import type { Handlers } from "./operation.ts";
import type { Services } from "./services.ts";

export const handlers: Handlers<Services> = {
  async listToys() {
    return { status: 200 };
  },
  async storeToy() {
    return { status: 201 };
  },
};
`;
const FILES = {
  'openapi.yaml': CONTRACT,
  'responses.yaml': RESPONSES,
  'src/handlers/index.ts': HANDLERS,
};
type File = keyof typeof FILES;

let folder: ToyProject;
let cwd: string;
let dev: RunningCommand;
const at = (file: string) => join(cwd, file);
/** Replaces the file: a reader finds the whole of one version. */
function save(file: File, text: string | Buffer = FILES[file]): void {
  writeFileSync(at('saved'), text);
  renameSync(at('saved'), at(file));
}

/** Saves only the file that differs: each save causes a reload. */
function restore(unless = (_file: string) => false): void {
  for (const [file, text] of Object.entries(FILES)) {
    if (textOf(file) === text || unless(file)) continue;
    rmSync(at(file), { recursive: true, force: true });
    save(file as File);
  }
}

/** @returns the content; the code of the error for what is no file */
function textOf(file: string): string {
  try {
    return readFileSync(at(file), 'utf8');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

/** Packages of this repository, and a compiler that finds no errors: the types are not the subject. */
function installWithoutCompiler(): void {
  mkdirSync(at('node_modules/typescript/bin'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name === 'typescript') continue;
    symlinkSync(resolve('node_modules', name), at(`node_modules/${name}`));
  }
  writeFileSync(at('node_modules/typescript/package.json'), '{}');
  writeFileSync(at('node_modules/typescript/bin/tsc'), '');
}

async function outputAfter(start: number, end: RegExp): Promise<string> {
  while (!end.test(dev.output.out.slice(start))) {
    if (dev.ended) throw new Error(`ended: ${dev.output.out}${dev.output.err}`);
    await new Promise((next) => setTimeout(next, 5));
  }
  return dev.output.out.slice(start);
}

beforeAll(async () => {
  folder = createEmptyProject();
  folder.write('openapi.yaml', CONTRACT);
  folder.write('responses.yaml', RESPONSES);
  const { status, err } = await folder.run('init', 'openapi.yaml', 'service', '--no-install');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  cwd = join(folder.path, 'service');
  installWithoutCompiler();
  for (const file of Object.keys(FILES)) save(file as File);
  dev = await startProcess(['dev'], /^serving (\S+),/m, { cwd, env: { PORT: '0' } });
  await outputAfter(0, /^ {2}types {6}no errors$/m);
}, 60_000);
afterAll(async () => {
  await dev?.stop();
  folder.remove();
});

type Broken = readonly [
  cause: string,
  save: () => void,
  /** The lines after the time, but for the line that the save is not served. */
  lines: readonly RegExp[],
];

const replaced = (file: File, from: string, to: string) => () => {
  expect(FILES[file].split(from)).toHaveLength(2);
  save(file, FILES[file].replace(from, to));
};

const KEPT: readonly Broken[] = [
  [
    'an unresolved $ref in the second operation',
    replaced('openapi.yaml', '#/components/schemas/Toy', '#/components/schemas/Nothing'),
    [/^openapi\.yaml:14:69 {2}\$ref cannot be resolved/],
  ],
  [
    'a duplicate operationId',
    replaced('openapi.yaml', 'operationId: storeToy', 'operationId: listToys'),
    [/^openapi\.yaml:13:20 {2}operationId listToys belongs/],
  ],
  [
    'YAML that cannot be parsed',
    replaced('openapi.yaml', 'paths:\n', 'paths: }\n'),
    [/^openapi\.yaml:5:\d+ {2}.* expected YAML/],
  ],
  [
    'an invalid schema',
    replaced('openapi.yaml', 'type: string', 'type: strin'),
    [/^openapi\.yaml:20:\d+ {2}type is strin {2}expected/],
  ],
  [
    'two errors',
    () =>
      save(
        'openapi.yaml',
        CONTRACT.replace('type: string', 'type: strin').replace('storeToy', 'listToys'),
      ),
    [/^openapi\.yaml:13:20 {2}operationId listToys belongs/, /^openapi\.yaml:20:\d+ {2}type is st/],
  ],
  [
    'an error in a referenced file',
    replaced('responses.yaml', 'type: string', 'type: strin'),
    [/^responses\.yaml:1:\d+ {2}type is strin/],
  ],
  [
    'YAML that cannot be parsed in a referenced file',
    replaced('responses.yaml', 'Toys: {', 'Toys: {{'),
    [/^responses\.yaml:2:1 {2}.* expected YAML/],
  ],
  [
    'a referenced file that is removed',
    () => rmSync(at('responses.yaml'), { force: true }),
    [/^openapi\.yaml:10:24 {2}\$ref cannot be resolved: responses\.yaml.*there is no such file/],
  ],
  [
    'a contract that is removed',
    () => rmSync(at('openapi.yaml'), { force: true }),
    [/^openapi\.yaml.* there is no such file/],
  ],
  [
    'a contract that is no UTF-8',
    () => save('openapi.yaml', Buffer.from(`# \xff\n${CONTRACT}`, 'latin1')),
    [/^openapi\.yaml.* it is not UTF-8/],
  ],
  [
    'a handler that belongs to no operation',
    replaced(
      'src/handlers/index.ts',
      '\n};\n',
      '\n  async dropToy() {\n    return {};\n  },\n};\n',
    ),
    [/^src\/handlers\/index\.ts:11:9 {2}handler dropToy belongs to no operation/],
  ],
  [
    'an operation with another operationId',
    replaced('openapi.yaml', 'operationId: storeToy', 'operationId: addToy'),
    [/^src\/handlers\/index\.ts:8:9 {2}handler storeToy belongs to no operation/],
  ],
  [
    'a source that cannot be parsed',
    replaced('src/handlers/index.ts', 'status: 201', 'status: }'),
    [/^src\/handlers\/index\.ts:9:\d+ {2}.*Expression expected/],
  ],
  [
    'a source that imports nothing that exists',
    replaced('src/handlers/index.ts', '"./services.ts";', '"./services.ts";\nimport "./none.ts";'),
    [/^src\/handlers\/index\.ts:3:\d+ {2}.*none\.ts/],
  ],
  [
    'a source that throws',
    replaced('src/handlers/index.ts', 'export const', 'throw new Error("no\\nway");\nexport const'),
    [/^src\/handlers\/index\.ts:4:\d+ {2}.*no/],
  ],
  // The last one: chokidar may lose saves of a file that was a folder, until dev restarts.
  [
    'a contract that cannot be read',
    () => {
      rmSync(at('openapi.yaml'), { force: true });
      mkdirSync(at('openapi.yaml'));
    },
    [/^openapi\.yaml.* it is a folder/],
  ],
];

async function served(start: number): Promise<string> {
  return outputAfter(start, / served in (?:.*\n)+ {2}types {6}(?!checking)/);
}

it('serves sources that were saved while the contract had errors, once it has none', async () => {
  const start = dev.output.out.length;
  save('openapi.yaml', CONTRACT.replace('type: string', 'type: strin'));
  await outputAfter(start, /type is strin/);
  save('src/handlers/index.ts', HANDLERS.replace('status: 200', 'status: 500'));
  await outputAfter(start, /src cannot be served/);
  save('openapi.yaml');
  await served(start);
  expect((await fetch(`${dev.url}/toys`)).status).toBe(500);
  restore();
  await served(dev.output.out.length);
  expect((await fetch(`${dev.url}/toys`)).status).toBe(200);
});

describe('a save that cannot be served', () => {
  it.each(KEPT)('for %s reports its cause once', async (_cause, breakIt, lines) => {
    const start = dev.output.out.length;
    breakIt();
    await outputAfter(start, /cannot be served.*\n.+\n/);
    restore();
    // Reloads run one after the other: what the broken save printed is complete.
    const output = await served(start);
    const [kept, ...printed] = output.split(/\n.* served in /)[0]!.split('\n');
    expect(kept).toMatch(/^\d\d:\d\d:\d\d {2}\S+ cannot be served; the last good version stays$/);
    expect(printed.filter((line) => !line.startsWith('  generated  '))).toEqual(
      lines.map((line) => expect.stringMatching(line)),
    );
  });
});

describe('a project that was saved while dev was off', () => {
  async function restart(): Promise<void> {
    await dev.stop();
    const surroundings = { cwd, env: { PORT: '0' } };
    dev = await startProcess(['dev'], /(^serving \S+|nothing is served)/m, surroundings);
  }

  it('is served, and its types are written', async () => {
    await dev.stop();
    save('openapi.yaml', CONTRACT.replace('name: {', 'colour: { type: string }, name: {'));
    await restart();
    await outputAfter(0, /^ {2}generated {2}generated\/contract\.ts written$/m);
    expect(readFileSync(at('generated/contract.ts'), 'utf8')).toContain('colour');
  });

  it('is reported with an error, and waits for a save', async () => {
    await dev.stop();
    save('openapi.yaml', CONTRACT.replace('type: string', 'type: strin'));
    await restart();
    expect(dev.output.out).toMatch(
      /^openapi\.yaml:20:\d+ {2}type is strin .*\n.* waits for a save\n$/,
    );
  });

  it.each(KEPT)('reports %s before anything is served', async (_cause, breakIt, lines) => {
    const start = dev.output.out.length;
    const before = new Map(Object.keys(FILES).map((file) => [file, textOf(file)]));
    breakIt();
    restore((file) => textOf(file) !== before.get(file));
    const report = lines.map((line) => `${line.source.slice(1)}.*\n`).join('');
    // Several files may be several saves.
    const last = new RegExp(
      `(?:^|(?:save|written)\n)${report}.* nothing is served; waits for a save\n`,
    );
    await outputAfter(start, last);
  });

  it('is served once its errors are repaired', async () => {
    restore();
    await outputAfter(0, /^serving /m);
    expect(dev.output.err).toBe('');
  });

  it('ends with 0 at a signal while nothing is served', async () => {
    await dev.stop();
    save('openapi.yaml', 'openapi: }');
    await restart();
    expect(await dev.stop()).toBe(0);
  });
});

describe('a project with a served version', () => {
  it('has the types of its converters after a save', async () => {
    await dev.stop();
    save('openapi.yaml');
    const released = CONTRACT.replace('version: 1.0.0', 'version: 0.9.0');
    const response = '{ $ref: "responses.yaml#/Toys" }';
    folder.write(
      'service/test/released/0.9.0.yaml',
      released.replace(response, '{ description: The toys. }'),
    );
    const served = await runCommand(['serve-version', '0.9.0', '--path', '/v0'], { cwd });
    expect(served).toMatchObject({ status: 0, err: '' });
    dev = await startProcess(['dev'], /^serving (\S+),/m, { cwd, env: { PORT: '0' } });
    const start = dev.output.out.length;
    save(
      'openapi.yaml',
      CONTRACT.replace('{ name: { type: string } }', '{ name: { type: string, maxLength: 9 } }'),
    );
    await outputAfter(start, /^ {2}generated {2}generated\/versions\/0\.9\.0\.ts written$/m);
    expect(readFileSync(at('generated/versions/0.9.0.ts'), 'utf8')).toContain('/name: maxLength 9');
  });
});
