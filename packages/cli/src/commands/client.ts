// `stubwright client`: writes a client package for a contract.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CheckedContract, Contract } from '@stubwright/contract';
import { countOf, textOf } from '@stubwright/contract/printable';
import { type Command, Option } from 'commander';
import type { ClientOptions } from '../client/clientPackage.ts';
import type { PaginationTable } from '../client/paginationTable.ts';
import type { SyntaxIssue } from '../loading/parse.ts';
import { FailedCheck, PolicyErrors } from '../output/errors.ts';
import type { CommandIo } from '../output/io.ts';
import type { ValueTypes } from '../types/valueTypes.ts';
import {
  type AllowOutside,
  accessOf,
  contractArgument,
  FileOption,
  npmName,
  StubwrightCommand,
} from './options.ts';

interface Options
  extends AllowOutside,
    Partial<ValueTypes>,
    Omit<ClientOptions, 'pagination' | 'types'> {
  readonly check?: true;
  readonly force?: true;
  readonly pagination?: string;
}

export function client(io: CommandIo): Command {
  return new StubwrightCommand('client')
    .summary('write a client package for a contract')
    .description(
      'Writes an npm package for TypeScript and JavaScript: one function per operation, its types, a README ' +
        'with a call of each operation. The package runs on fetch, and depends on @stubwright/client.',
    )
    .addArgument(contractArgument({ readsStdin: true }))
    .argument('[dir]', 'folder of the package', 'client')
    .option(
      '--name <name>',
      'of the package, as npm accepts it; by default from the title of the contract',
      (text) => npmName('--name', text),
    )
    .addOption(
      new Option(
        '--group <by>',
        'tags: operations as methods of their first tag, client.toys.create(…)',
      ).choices(['tags']),
    )
    .addOption(
      new Option(
        '--query <library>',
        'an entry with queries and mutations for TanStack Query',
      ).choices(['tanstack']),
    )
    .option('--msw', 'an entry with handlers for Mock Service Worker, which reply with examples')
    .addOption(
      new FileOption(
        '--pagination <file>',
        'pages of operations whose contract has no x-pagination: YAML by operationId',
      ),
    )
    .with('dates', 'int64', 'check', 'force', 'allowOutside', 'overlay', 'quiet')
    .action((contract: string, dir: string, options: Options) =>
      writeClient(contract, dir, options, io),
    )
    .withExamples('client openapi.yaml build/client --name @me/toys');
}

async function writeClient(
  contract: string,
  dir: string,
  { check, force, name, group, query, msw, pagination: file, dates, int64, ...options }: Options,
  io: CommandIo,
): Promise<void> {
  const { clientContract } = await import('../loading/load.ts');
  const { clientPackage } = await import('../client/clientPackage.ts');
  const { staleFiles } = await import('../project/generated.ts');
  const { expectGenerated, replaceFiles } = await import('../project/writeFiles.ts');
  const found = await clientContract(contract, accessOf(io, options, contract));
  const pagination = file === undefined ? {} : await paginationIn(file, found, io);
  const { chosenTypes } = await import('../types/valueTypes.ts');
  const manifest = resolve(io.cwd, dir, 'package.json');
  const before = existsSync(manifest) ? readFileSync(manifest, 'utf8') : undefined;
  const types = chosenTypes({ dates, int64 }, before);
  const written = await clientPackage(contract, found, {
    ...{ name, group, query, msw, pagination, types },
  });
  for (const located of found.omitted) io.stderr.write(`${textOf(located)}\n`);
  const files = new Map([...written.files].map(([file, text]) => [join(dir, file), text]));
  if (check) {
    const stale = await staleFiles(files, io.cwd);
    for (const path of stale) io.stderr.write(`${path} is stale: generate it again\n`);
    if (stale.length > 0) throw new FailedCheck();
    return;
  }
  expectGenerated(files, { cwd: io.cwd, force });
  replaceFiles(files, io);
  for (const xmlText of written.xmlTexts) io.stderr.write(`${xmlText} is a string in the client\n`);
  const count = countOf(written.operations, 'operation');
  io.note(`${dir}: ${written.name} ${written.version}, ${count}\n`);
}

/** @throws {PolicyErrors} for entries that the contract does not have */
async function paginationIn(
  file: string,
  { document, errors }: Pick<CheckedContract, 'document' | 'errors'>,
  { cwd }: CommandIo,
): Promise<PaginationTable> {
  const { tableErrors } = await import('../client/paginationTable.ts');
  const { parseText } = await import('../loading/parse.ts');
  const parsed = parseText(readFileSync(resolve(cwd, file), 'utf8'), false);
  if (parsed.errors !== undefined) {
    const [{ line, column, what, expected }] = parsed.errors as [SyntaxIssue];
    throw new Error(`${file}:${line}:${column}  ${what}  ${expected}`);
  }
  const table = parsed.value as PaginationTable;
  const wrong = tableErrors(table, new Contract(document, errors), file);
  if (wrong.length > 0) throw new PolicyErrors(wrong);
  return table;
}
