// `stubwright proxy`: forwards to a service, and reports how requests and responses violate a contract.

import { resolve } from 'node:path';
import { textOf } from '@stubwright/contract/printable';
import type { TrafficRecorder } from '@stubwright/traffic';
import { type Command, Option } from 'commander';
import { FailedCheck } from '../output/errors.ts';
import type { CommandIo } from '../output/io.ts';
import {
  type AllowOutside,
  accessOf,
  addressOf,
  contractArgument,
  integerOption,
  listenError,
  type ServerOptions,
  StubwrightCommand,
  stopped,
} from './options.ts';

interface Options extends AllowOutside, ServerOptions {
  readonly errors?: true;
  readonly insecure?: true;
  readonly undeclared: 'allow' | 'report';
  readonly bodyLimit: number;
  readonly format: 'text' | 'json';
  readonly record?: string;
  readonly caller?: string;
  readonly hashCallers?: true;
}

const PORT = 4010;
const DEFAULT_BODY_LIMIT = 10 * 1024 * 1024;
const LARGEST_BODY_LIMIT = 256 * 1024 * 1024;
const BODY_MEMORY = 256 * 1024 * 1024;
/** A body of the largest size, and a copy without its content coding. */
const MIN_BODIES = 2;

export function proxy(io: CommandIo): Command {
  return new StubwrightCommand('proxy')
    .summary('forward to a service, and report how requests and responses violate a contract')
    .description(
      'Forwards requests to a service in any language, and reports each request and response that violates the contract.',
    )
    .addArgument(contractArgument({ readsStdin: true }, '<contract>'))
    .argument('<url>', 'root of the service; a path replaces those of the servers of the contract')
    .withAddress(PORT)
    .option(
      '--errors',
      'respond to an invalid request with the error of the contract, and to an invalid response with 502',
    )
    .option(
      '--insecure',
      'accept any TLS certificate of the service, for example a self-signed one',
    )
    .addOption(
      new Option('--undeclared <policy>', 'properties of responses that no schema declares')
        .choices(['allow', 'report'])
        .default('allow'),
    )
    .addOption(
      new Option(
        '--body-limit <bytes>',
        'larger bodies are forwarded without validation, or refused with --errors',
      )
        .default(DEFAULT_BODY_LIMIT)
        .argParser((text) => integerOption('--body-limit', text, 0, LARGEST_BODY_LIMIT)),
    )
    .addOption(
      new Option('--format <format>', 'format of the summary')
        .choices(['text', 'json'])
        .default('text'),
    )
    .with('json')
    .option(
      '--record <file>',
      'record the requests, for diff --traffic and check --traffic; traffic.jsonl becomes traffic.<date>.<process>.jsonl',
    )
    .option('--caller <header>', 'the header whose value names the caller of a recorded request')
    .option('--hash-callers', 'record callers as a hash with the key in RECORD_HASH_KEY')
    .with('allowOutside', 'overlay')
    .addHelpText(
      'after',
      `
Each violation is a line on stderr. SIGINT or SIGTERM ends the proxy, which prints a summary to
stdout, and exits with 1 if there were violations.`,
    )
    .action((contract: string, url: string, options: Options) =>
      forward(contract, url, options, io),
    )
    .withExamples('proxy openapi.yaml http://127.0.0.1:3000');
}

async function forward(
  contract: string,
  url: string,
  options: Options,
  io: CommandIo,
): Promise<void> {
  const target = targetOf(url);
  const address = addressOf(io, options, PORT);
  const [{ loadContract, stringifyJson }, { startProxy }, { Report }] = await Promise.all([
    import('@stubwright/contract'),
    import('../proxy/proxy.ts'),
    import('../proxy/validation.ts'),
  ]);
  const log = (line: string) => void io.stderr.write(`${line}\n`);
  const access = accessOf(io, options, contract);
  const { definition, warnings } = await loadContract(contract, { ...access, isMocked: true });
  for (const warning of warnings) log(textOf(warning));
  const report = new Report(log);
  const recorder = await recorderOf(io, options, log);
  const { errors, insecure, undeclared, bodyLimit, format } = options;
  const proxy = await startProxy({
    ...{ definition, target, ...address, report, recorder },
    refuses: errors === true,
    isInsecure: insecure,
    bodyLimitBytes: bodyLimit,
    bodyMemoryBytes: Math.max(BODY_MEMORY, MIN_BODIES * bodyLimit),
    undeclaredProperties: undeclared,
  }).catch((error) => {
    throw listenError(error, address);
  });
  const stop = stopped(io);
  log(`proxy  ${proxy.url} -> ${target.href}`);
  await stop;
  await proxy.close();
  await recorder?.close();
  io.stdout.write(`${format === 'json' ? stringifyJson(report.summary, 2) : report.text}\n`);
  if (report.hasViolations) throw new FailedCheck();
}

/** @returns undefined without --record */
async function recorderOf(
  { cwd, env }: CommandIo,
  { record, caller: callerHeader, hashCallers }: Options,
  log: (line: string) => void,
): Promise<TrafficRecorder | undefined> {
  if (record === undefined) {
    const [unused] = Object.entries({ '--caller': callerHeader, '--hash-callers': hashCallers })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    if (unused === undefined) return undefined;
    throw new Error(`${unused}: expected --record as well`);
  }
  const hashKey = hashCallers && env['RECORD_HASH_KEY'];
  if (hashCallers && !hashKey) throw new Error('--hash-callers: expected a key in RECORD_HASH_KEY');
  const { recorder } = await import('@stubwright/traffic');
  const onError = ({ message }: Error) => log(message);
  try {
    return recorder({ file: resolve(cwd, record), callerHeader, hashKey, onError });
  } catch (error) {
    throw new Error(`--record: ${(error as Error).message}`);
  }
}

/** @throws {Error} for a URL that cannot be the root of a service */
function targetOf(text: string): URL {
  const url = URL.parse(text);
  const isRoot =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.search, url.hash, url.username, url.password].every((part) => part === '');
  if (isRoot) return url;
  const shown = JSON.stringify(text.replace(/\/\/.*@/s, '//***@'));
  throw new Error(
    `URL: got ${shown}, expected an http or https URL without user, password, query and fragment`,
  );
}
