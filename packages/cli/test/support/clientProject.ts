// A project with a generated client in its node_modules, as `toys`.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { temporaryFolder } from '../../../stubwright/test/support/temporaryFolder.ts';
import { runCommand } from './command.ts';

export interface ClientProject {
  readonly path: string;
  /** @returns the errors of a module under `strict`, with the declarations of libraries checked */
  errorsOf(source: string, module?: ts.ModuleKind): string[];
  /** @returns the exports of the client */
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  load(): Promise<any>;
  remove(): void;
}

/** @param flags of `stubwright client` @throws {Error} with its output if it fails */
export async function clientProject(
  contract: string,
  { flags = [], type = 'module' }: { flags?: readonly string[]; type?: 'module' | 'commonjs' } = {},
): Promise<ClientProject> {
  const folder = temporaryFolder();
  const { path } = folder;
  mkdirSync(join(path, 'node_modules/@stubwright'), { recursive: true });
  symlinkSync(resolve('packages/client'), join(path, 'node_modules/@stubwright/client'));
  writeFileSync(join(path, 'openapi.yaml'), contract);
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type }));
  const args = ['client', 'openapi.yaml', 'node_modules/toys', '--name', 'toys', ...flags];
  const { status, err } = await runCommand(args, { cwd: path });
  if (status !== 0) throw new Error(err);
  return {
    path,
    errorsOf: (source, module = ts.ModuleKind.NodeNext) => errorsOf(path, source, module),
    load: () => import(join(path, 'node_modules/toys/index.js')),
    remove: () => folder.remove(),
  };
}

function errorsOf(folder: string, source: string, module: ts.ModuleKind): string[] {
  const main = join(folder, 'main.ts');
  writeFileSync(main, source);
  const program = ts.createProgram([main], {
    ...{ strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, module },
    ...{ target: ts.ScriptTarget.ES2022, typeRoots: [resolve('node_modules/@types')] },
    ...{ types: ['node'], lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
  });
  return ts.getPreEmitDiagnostics(program).map(({ code, messageText, file, start }) => {
    const line = file?.text.slice(0, start).split('\n').length;
    return `${line}: TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

export interface Served {
  readonly url: string;
  /** The requests in order. */
  readonly seen: IncomingMessage[];
  close(): void;
}

/** Serves on a socket of this machine. */
export async function served(listener: RequestListener): Promise<Served> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    listener(request, response);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}
