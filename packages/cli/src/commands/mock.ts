// `stubwright mock`: serves every operation of a contract from its examples and schemas.

import { ContractErrors } from '@stubwright/contract';
import { countOf, textOf } from '@stubwright/contract/printable';
import type { MockOptions, Service } from '@stubwright/service';
import type { Command } from 'commander';
import { FailedCheck } from '../output/errors.ts';
import type { CommandIo } from '../output/io.ts';
import { serviceModule } from '../project/serviceModule.ts';
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
  readonly check?: true;
  readonly dynamic?: true;
  readonly seed?: string;
  readonly delay?: MockOptions['delayMs'];
  readonly errorRate?: number;
  readonly stateful?: true;
  readonly items?: number;
  readonly itemInterval?: number;
  readonly validation: boolean;
}

const PORT = 3000;
const MAX_DELAY_MS = 600_000;
const MAX_ITEMS = 1_000_000;
/** A list of 1,200 operations would scroll the URL away. */
const LISTED = 50;
/** Accepted like any other credential. */
const TOKEN = 'mock';

export function mock(io: CommandIo): Command {
  return new StubwrightCommand('mock')
    .summary('serve every operation of a contract from its examples and schemas')
    .description(
      'Serves every operation of a contract from its examples and schemas, and validates each request.',
    )
    .addArgument(contractArgument({ readsStdin: true }, '[contract...]'))
    .withAddress(PORT)
    .option('--check', 'listen on no port: report the operations that have no mock')
    .option('--dynamic', 'generate a new body for each request, instead of sending the examples')
    .option('--seed <seed>', 'generate the same sequence of bodies in each run')
    .option('--stateful', 'find, list, change and delete created items; kept in memory')
    .option(
      '--delay <ms>',
      'delay of each reply in milliseconds: 200, or a random one from a range: 100-500',
      delayOption,
    )
    .option(
      '--error-rate <rate>',
      'share of requests that get a declared 5xx response, else 503: from 0 to 1',
      errorRateOption,
    )
    .option('--items <count>', 'number of generated items in a sequence: by default 3', (text) =>
      integerOption('--items', text, 0, MAX_ITEMS),
    )
    .option(
      '--item-interval <ms>',
      'time between the items of a sequence in milliseconds',
      (text) => integerOption('--item-interval', text, 0, MAX_DELAY_MS),
    )
    .option('--no-validation', 'reply to requests whose parameters or body violate the contract')
    .with('allowOutside', 'overlay', 'quiet')
    .addHelpText(
      'after',
      `
Preferences of a request, in the header Prefer or in the query:
  Prefer: code=404       ?__code=404        a declared status
  Prefer: example=name   ?__example=name    a named example
  Prefer: dynamic=true   ?__dynamic=true    a generated body, false for an example
  Prefer: wait=2         ?__wait=2          a delay in seconds, at most 60

Credentials that the contract requires must be present; any value is accepted.
A saved contract is served at once. One with errors is reported, and the last good version stays.`,
    )
    .action(async (contracts: readonly string[], options: Options) => {
      if (options.check) return checkMocks(contracts, options, io);
      const [contract, ...others] = contracts;
      if (others.length === 0) return serve(contract!, options, io);
      throw new Error(`CONTRACT: got ${contracts.length} contracts, expected one without --check`);
    })
    .withExamples('mock openapi.yaml', "mock --check 'apis/*.yaml'");
}

async function checkMocks(
  paths: readonly string[],
  options: Options,
  io: CommandIo,
): Promise<void> {
  const { loadContract } = await import('@stubwright/service');
  let isFailed = false;
  for (const path of paths) {
    io.progress.show(`checking ${path}`);
    try {
      const contract = await loadContract(path, { isMocked: true, ...accessOf(io, options, path) });
      const { operations, disabled } = contract.definition;
      for (const warning of contract.warnings) io.stderr.write(`${textOf(warning)}\n`);
      const left = disabled.length === 0 ? '' : `, ${disabled.length} without a mock`;
      isFailed ||= disabled.length > 0;
      io.note(`${path}: ${countOf(operations.length, 'mocked operation')}${left}\n`);
    } catch (error) {
      if (!(error instanceof ContractErrors)) throw error;
      isFailed = true;
      for (const text of error.errors) io.stderr.write(`${text}\n`);
    }
  }
  if (isFailed) throw new FailedCheck();
}

async function serve(path: string, options: Options, io: CommandIo): Promise<void> {
  const address = addressOf(io, options, PORT);
  const { createLog, loadContract, readSettings, startService } = await serviceModule('mock');
  const { Reloading } = await import('../dev/watch.ts');
  const access = { isMocked: true, ...accessOf(io, options, path) };
  const load = () => loadContract(path, access);
  // Before anything is read: a save during the start causes a reload.
  const reloading = await Reloading.watch(path, io, load);
  try {
    io.progress.show(`checking ${path}`);
    const contract = await load();
    // The log writes to standard output itself.
    io.progress.clear();
    // A host that others can reach requires tokens, which a mock does not verify.
    const authentication = { jwt: undefined, apiTokens: [], apiTokensFile: undefined };
    const settings = readSettings({ ...io.env, PORT: String(address.port) });
    const log = createLog(settings.logLevel, io.raw);
    const { dynamic: isDynamic, seed, delay: delayMs, errorRate, stateful: isStateful } = options;
    const { items, itemInterval: itemIntervalMs, validation: validatesRequests } = options;
    const service = await startService({
      settings: { ...settings, ...authentication, ...address, mock: 'all' },
      // Printed below, at every log level.
      contract: { ...contract, warnings: [] },
      tokens: [TOKEN],
      log,
      mockOptions: {
        ...{ isDynamic, seed, delayMs, errorRate, isStateful, items, itemIntervalMs },
        validatesRequests,
      },
    }).catch((error) => {
      throw listenError(error, address);
    });
    const stop = stopped(io);
    for (const warning of contract.warnings) io.stderr.write(`${textOf(warning)}\n`);
    io.stdout.write(`${await summaryOf(service, settings.docs)}\n`);
    reloading.start(service, contract);
    await stop;
    await reloading.close();
    await service.stop();
    await new Promise((flushed) => log.flush(flushed));
  } finally {
    await reloading.close();
  }
}

/** @throws {Error} for another text than `200` or `100-500` */
function delayOption(text: string): MockOptions['delayMs'] {
  const [, min = text, max = min] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const least = integerOption('--delay', min, 0, MAX_DELAY_MS);
  return [least, integerOption('--delay', max, least, MAX_DELAY_MS)];
}

function errorRateOption(text: string): number {
  const rate = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (rate <= 1) return rate;
  throw new Error(`--error-rate: got ${JSON.stringify(text)}, expected a number from 0 to 1`);
}

async function summaryOf(service: Service, docs: 'on' | 'off'): Promise<string> {
  const { operations, url } = service;
  const { origin } = new URL(url);
  const listed = operations.slice(0, LISTED);
  const width = Math.max(0, ...listed.map(({ method }) => method.length));
  const more = operations.length - listed.length;
  return [
    ...listed.map(({ method, path }) => `${method.padEnd(width)}  ${origin}${path}`),
    ...(more > 0 ? [`and ${countOf(more, 'more operation')}`] : []),
    '',
    `mock  ${url}`,
    ...(docs === 'on' ? [`docs  ${url}/docs`] : []),
    '',
    (await service.curl(TOKEN)) ?? 'The contract has no operation with a valid example.',
  ].join('\n');
}
