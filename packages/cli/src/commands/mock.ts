// `stubwright mock`: serves every operation of a contract from its examples and schemas.
import { Command } from 'commander';
import type { Service } from 'stubwright/service';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT } from '../project/layout.ts';
import { type AllowOutside, accessOf, allowOutsideOption } from './allowOutside.ts';
import {
  addressOf,
  listenError,
  type ServerOptions,
  serverOptions,
  stopped,
} from './serverOptions.ts';

interface Options extends AllowOutside, ServerOptions {
  readonly dynamic?: true;
  readonly seed?: string;
}

const PORT = 3000;
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
    .addOption(allowOutsideOption())
    .addHelpText(
      'after',
      `
Preferences of a request, in the header Prefer or in the query:
  Prefer: code=404       ?__code=404        a declared status
  Prefer: example=name   ?__example=name    a named example
  Prefer: dynamic=true   ?__dynamic=true    a generated body, false for an example

Credentials that the contract requires must be present; any value is accepted.`,
    )
    .action((contract: string, options: Options) => serve(contract, options, io));
}

async function serve(path: string, options: Options, io: CommandIo): Promise<void> {
  const address = addressOf(io, options, PORT);
  const { createLog, loadContract, readSettings, startService } = await import(
    'stubwright/service'
  );
  const contract = await loadContract(path, { isMocked: true, ...accessOf(io, options) });
  // A host that others can reach requires tokens, which a mock does not verify.
  const authentication = { jwt: undefined, apiTokens: [], apiTokensFile: undefined };
  const settings = readSettings({ ...io.env, PORT: String(address.port) });
  const log = createLog(settings.logLevel, io.raw);
  const service = await startService({
    settings: { ...settings, ...authentication, ...address, mock: 'all' },
    contract,
    tokens: [TOKEN],
    log,
    mockOptions: { isDynamic: options.dynamic, seed: options.seed },
  }).catch((error) => {
    throw listenError(error, address);
  });
  const stop = stopped(io);
  io.stdout.write(`${await summaryOf(service, settings.docs)}\n`);
  await stop;
  await service.stop();
  await new Promise((flushed) => log.flush(flushed));
}

async function summaryOf(service: Service, docs: 'on' | 'off'): Promise<string> {
  const { operations, url } = service;
  const { origin } = new URL(url);
  const listed = operations.slice(0, LISTED);
  const width = Math.max(0, ...listed.map(({ method }) => method.length));
  const more = operations.length - listed.length;
  return [
    ...listed.map(({ method, path }) => `${method.padEnd(width)}  ${origin}${path}`),
    ...(more > 0 ? [`and ${more} more operations`] : []),
    '',
    `mock  ${url}`,
    ...(docs === 'on' ? [`docs  ${url}/docs`] : []),
    '',
    (await service.curl(TOKEN)) ?? 'The contract has no operation with a valid example.',
  ].join('\n');
}
