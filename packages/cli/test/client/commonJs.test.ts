// A generated client in a CommonJS project: TypeScript with `module: node16`, and a call over a socket.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import {
  type TemporaryFolder,
  temporaryFolder,
} from '../../../stubwright/test/support/temporaryFolder.ts';
import { runCommand } from '../support/command.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
    get:
      operationId: getToy
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
        '404': {description: none}
components:
  schemas: {Toy: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}}
`;

const MAIN = `import { connect, createClient, ErrorReply, getToy, isErrorOf, unwrap } from 'toys';
import type { Client, components } from 'toys';

async function main(): Promise<void> {
  const baseUrl = process.argv[2]!;
  const client: Client = createClient({ baseUrl });
  const toy: components['schemas']['Toy'] = await unwrap(client.getToy({ path: { id: 9007199254740993n } }));
  const found: bigint = toy.id;
  const error: unknown = await unwrap(getToy(connect({ baseUrl }), { path: { id: 0n } })).catch((each) => each);
  const own: ErrorReply | undefined = error instanceof ErrorReply ? error : undefined;
  const status: 404 | undefined = isErrorOf(getToy, error) ? error.reply.status : undefined;
  console.log(String(found), status, own !== undefined);
}
main();
`;

describe('a generated client in CommonJS', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder();
    mkdirSync(join(folder.path, 'node_modules/@stubwright'), { recursive: true });
    symlinkSync(resolve('packages/client'), join(folder.path, 'node_modules/@stubwright/client'));
    writeFileSync(join(folder.path, 'openapi.yaml'), CONTRACT);
    writeFileSync(join(folder.path, 'package.json'), '{"type": "commonjs"}');
    await runCommand(['client', 'openapi.yaml', 'node_modules/toys'], { cwd: folder.path });
  });
  afterAll(() => folder.remove());

  function errorsOf(source: string): string[] {
    const path = join(folder.path, 'main.ts');
    writeFileSync(path, source);
    const program = ts.createProgram([path], {
      ...{ strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true },
      ...{ exactOptionalPropertyTypes: true, module: ts.ModuleKind.Node16, types: ['node'] },
      ...{ target: ts.ScriptTarget.ES2022, typeRoots: [resolve('node_modules/@types')] },
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
  }

  it('compiles with module node16, and its types are exact', () => {
    expect(errorsOf(MAIN)).toEqual([]);
    expect(errorsOf(MAIN.replace('found: bigint', 'found: number'))).toEqual([
      "TS2322 Type 'bigint' is not assignable to type 'number'.",
    ]);
    expect(errorsOf(MAIN.replace('status: 404', 'status: 405'))).toHaveLength(1);
  });

  it('is required, and calls a service', async () => {
    const { outputText } = ts.transpileModule(MAIN, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(join(folder.path, 'main.cjs'), outputText);
    expect(outputText).toContain('require("toys")');
    const server = createServer(({ url }, response) => {
      const isFound = url === '/toys/9007199254740993';
      response.writeHead(isFound ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(isFound ? '{"id":9007199254740993}' : undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const args = [join(folder.path, 'main.cjs'), `http://127.0.0.1:${port}`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    server.close();
    expect(stdout).toBe('9007199254740993 404 true\n');
  });
});
