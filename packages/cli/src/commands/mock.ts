// `stubwright mock`: serves every operation of a contract from its examples and schemas.

import { countOf, textOf } from '@stubwright/contract/printable';
import type { MockOptions, Service } from '@stubwright/service';
import { Command } from 'commander';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption, overlayOption } from './options.ts';
import {
  addressOf,
  integerOption,
  listenError,
  type ServerOptions,
  serverOptions,
  stopped,
} from './serverOptions.ts';

interface Options extends AllowOutside, ServerOptions {
  readonly dynamic?: true;
  readonly seed?: string;
  readonly delay?: MockOptions['delayMs'];
  readonly errorRate?: number;
  readonly stateful?: true;
  readonly items?: number;
  readonly itemInterval?: number;
}

const PORT = 3000;
const MAX_DELAY_MS = 600_000;
const MAX_ITEMS = 1_000_000;
/** A list of 1,200 operations would scroll the URL away. */
const LISTED = 50;
/** Accepted like any other credential. */
const TOKEN = 'mock';

export function mock(io: CommandIo): Command {
  const command = new Command('mock')
    .summary('serve every operation of a contract from its examples and schemas')
    .argument('[contract]', 'path of the contract or of its bundle', CONTRACT);
  for (const option of serverOptions(PORT)) command.addOption(option);
  return command
    .option('--dynamic', 'generate a new body for each request, instead of sending the examples')
    .option('--seed <seed>', 'generate the same sequence of bodies in each run')
    .option('--stateful', 'find, list, change and delete what requests created; kept in memory')
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
    .addOption(allowOutsideOption())
    .addOption(overlayOption())
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
    .action((contract: string, options: Options) => serve(contract, options, io));
}

async function serve(path: string, options: Options, io: CommandIo): Promise<void> {
  const address = addressOf(io, options, PORT);
  const [{ createLog, loadContract, readSettings, startService }, { Reloading }] =
    await Promise.all([import('@stubwright/service'), import('../dev/watch.ts')]);
  const access = { isMocked: true, ...accessOf(io, options) };
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
    const { items, itemInterval: itemIntervalMs } = options;
    const service = await startService({
      settings: { ...settings, ...authentication, ...address, mock: 'all' },
      // Printed below, whatever the level of the log.
      contract: { ...contract, warnings: [] },
      tokens: [TOKEN],
      log,
      mockOptions: { isDynamic, seed, delayMs, errorRate, isStateful, items, itemIntervalMs },
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
