// `stubwright mock`: serves every operation of a contract from its examples and schemas.
import { Command } from 'commander';
import type { Service } from 'stubwright/internal/service/service';
import type { Access } from '../loading/containment.ts';
import { CONTRACT } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';
import { hostOption, listenError, onStop, portOption } from './serverOptions.ts';

interface Options extends Access {
  readonly host: string;
  readonly port: number;
  readonly dynamic?: true;
  readonly seed?: string;
}

/** A list of 1,200 operations would scroll the URL away. */
const LISTED = 50;
/** Accepted like any other credential. */
const TOKEN = 'mock';

export const mock = new Command('mock')
  .summary('serve every operation of a contract from its examples and schemas')
  .argument('[contract]', 'path of the contract or of its bundle', CONTRACT)
  .addOption(hostOption())
  .addOption(portOption(3000))
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
  .action(async (contract: string, { host, port, dynamic, seed, allowOutside }: Options) => {
    const { createLog, readSettings, startService } = await import('stubwright/internal/service');
    // A host that others can reach requires tokens, which a mock does not verify.
    const access = { jwt: undefined, apiTokens: [], apiTokensFile: undefined };
    const files = { contract, contractFolders: allowOutside ?? [] };
    const settings = { ...readSettings(process.env), ...access, ...files, host, port };
    const log = createLog(settings.logLevel);
    const service = await startService({
      settings: { ...settings, mock: 'all' },
      tokens: [TOKEN],
      log,
      mockOptions: { isDynamic: dynamic, seed },
    }).catch((error) => {
      throw listenError(error, { host, port });
    });
    onStop(async () => {
      await service.stop();
      log.flush(() => process.exit());
    });
    process.stdout.write(`${await summaryOf(service, settings.docs)}\n`);
  });

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
