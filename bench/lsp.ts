// `make bench WHAT=lsp`: from a keystroke to the diagnostics of its changes, without the pause of the server.
// Usage: lsp.ts [--rounds N]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  createProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { median } from './statistics.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
/** Bytes of the contract, and the most milliseconds and megabytes. */
const TARGETS = [
  { bytes: 25_000, ms: 50 },
  { bytes: 1_200_000, ms: 400, megabytes: 200 },
  { bytes: 3_000_000, ms: 1_000 },
];
const SERVER = `
const { runServer } = await import('@stubwright/lsp');
process.exit(await runServer({ input: process.stdin, output: process.stdout, pauseMs: 0 }));`;

process.stdout.write(
  '| KB | changes ms | target | CPU ms | all ms | longest wait ms | MB after | peak MB | target |\n',
);
process.stdout.write('| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n');
for (const target of TARGETS) process.stdout.write(`${await rowOf(target)}\n`);
const load = loadavg()[0]!.toFixed(1);
process.stdout.write(`\n${cpus()[0]?.model}, Node ${process.version}, load average ${load}\n`);

/** @returns a contract with operations that have a body and a component of their own */
function contractOf(bytes: number): string {
  const paths: string[] = [];
  const schemas: string[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index++) {
    const path = `  /things/${index}:
    post:
      operationId: createThing${index}
      description: Stores the thing ${index} and returns it as it is stored.
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Thing${index}' } } }
      responses:
        '200':
          description: stored
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing${index}' } } }
        default: { description: an error }
`;
    const schema = `    Thing${index}:
      type: object
      required: [name]
      properties:
        name: { type: string, maxLength: 20, description: The name of the thing. }
        size: { type: integer, format: int64, minimum: 0 }
        tags: { type: array, items: { type: string }, maxItems: 10 }
`;
    paths.push(path);
    schemas.push(schema);
    length += path.length + schema.length;
  }
  const head = 'openapi: 3.0.3\ninfo: { title: Things, version: 1.0.0 }\npaths:\n';
  return `${head}${paths.join('')}components:\n  schemas:\n${schemas.join('')}`;
}

async function rowOf({ bytes, ms, megabytes }: (typeof TARGETS)[number]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-lsp-'));
  const text = contractOf(bytes);
  const path = join(folder, 'openapi.yaml');
  writeFileSync(path, text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'base');
  const server = spawn(process.execPath, ['--input-type=module', '--eval', SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(server.stdout, server.stdin);
  let published = (_: PublishDiagnosticsParams) => {};
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => published(params));
  connection.listen();
  const uri = pathToFileURL(path).href;
  const offset = text.indexOf('maxLength: 20', text.length * 0.6) + 'maxLength: '.length;
  const before = text.slice(0, offset).split('\n');
  const start = { line: before.length - 1, character: before.at(-1)!.length };
  const end = { ...start, character: start.character + 2 };
  await connection.sendRequest('initialize', {
    ...{ processId: null, capabilities: {}, rootUri: pathToFileURL(folder).href },
  });
  await connection.sendNotification('initialized', {});
  const [changes, cpu, all, waits]: [number[], number[], number[], number[]] = [[], [], [], []];
  const cpuMs = () => {
    // In hundredths of a second: of the process and of its threads.
    const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  };
  const textDocument = { uri, version: 1 };
  // The first notification has the changes, the second the findings of `check` too.
  const twice = (began: number) =>
    new Promise<void>((resolve) => {
      let count = 0;
      const used = cpuMs();
      published = ({ version }) => {
        if (version !== textDocument.version) return;
        (++count === 1 ? changes : all).push(performance.now() - began);
        if (count === 1) cpu.push(cpuMs() - used);
        if (count === 2) resolve();
      };
    });
  const opened = twice(performance.now());
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { ...textDocument, languageId: 'yaml', text },
  });
  await opened;
  [changes.length, cpu.length, all.length] = [0, 0, 0];
  for (let round = 0; round < Number(values.rounds); round++) {
    textDocument.version++;
    const began = performance.now();
    const done = twice(began);
    await connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ range: { start, end }, text: String(10 + round) }],
    });
    // The thread that reads keystrokes answers while the other one works.
    await connection.sendRequest('shutdown');
    waits.push(performance.now() - began);
    await done;
  }
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const megabytesOf = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  const peak = megabytesOf('VmHWM');
  await connection.sendNotification('exit');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true });
  const shown = (value: number, most: number | undefined) =>
    most === undefined ? '' : value <= most ? 'pass' : `SHORT of ${most}`;
  return `| ${[
    Math.round(text.length / 1000),
    median(changes).toFixed(0),
    shown(median(changes), ms),
    median(cpu).toFixed(0),
    median(all).toFixed(0),
    Math.max(...waits).toFixed(0),
    megabytesOf('VmRSS').toFixed(0),
    peak.toFixed(0),
    shown(peak, megabytes),
  ].join(' | ')} |`;
}
