// A project with a generated client in its node_modules, as `toys`.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import ts from 'typescript';
import { runCommand } from './command.ts';

export interface ClientProject {
  readonly path: string;
  /** @returns the errors of a module under `strict`, with the declarations of libraries checked */
  errorsOf(source: string, options?: CompileOptions): string[];
  /** @param module by default index.js @returns its exports */
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  load(module?: string): Promise<any>;
  remove(): void;
}

interface CompileOptions {
  /** By default that of Node. */
  readonly module?: ts.ModuleKind;
  /** By default main.ts. */
  readonly file?: string;
}

interface ProjectOptions {
  /** Of `stubwright client`. */
  readonly flags?: readonly string[];
  readonly type?: 'module' | 'commonjs';
  /** Packages of this repository that the project has too. */
  readonly packages?: readonly string[];
}

/** @throws {Error} with its output if it fails */
export async function clientProject(
  contract: string,
  { flags = [], type = 'module', packages = [] }: ProjectOptions = {},
): Promise<ClientProject> {
  const folder = temporaryFolder();
  const { path } = folder;
  mkdirSync(join(path, 'node_modules/@stubwright'), { recursive: true });
  symlinkSync(resolve('packages/client'), join(path, 'node_modules/@stubwright/client'));
  for (const each of packages) {
    mkdirSync(dirname(join(path, 'node_modules', each)), { recursive: true });
    symlinkSync(resolve('node_modules', each), join(path, 'node_modules', each));
  }
  writeFileSync(join(path, 'openapi.yaml'), contract);
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type }));
  const args = ['client', 'openapi.yaml', 'node_modules/toys', '--name', 'toys', ...flags];
  const { status, err } = await runCommand(args, { cwd: path });
  if (status !== 0) throw new Error(err);
  return {
    path,
    errorsOf: (source, options) => errorsOf(path, source, options),
    load: (module = 'index.js') => import(join(path, 'node_modules/toys', module)),
    remove: () => folder.remove(),
  };
}

function errorsOf(
  folder: string,
  source: string,
  { module = ts.ModuleKind.NodeNext, file = 'main.ts' }: CompileOptions = {},
): string[] {
  const main = join(folder, file);
  writeFileSync(main, source);
  const program = ts.createProgram([main], {
    ...{ strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, module },
    jsx: ts.JsxEmit.ReactJSX,
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
