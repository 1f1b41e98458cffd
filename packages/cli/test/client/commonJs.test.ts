// A generated client in a CommonJS project: TypeScript with `module: node16`, and a call over a socket.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type ClientProject, clientProject, served } from '../support/clientProject.ts';

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
  let project: ClientProject;
  beforeAll(async () => {
    project = await clientProject(CONTRACT, { type: 'commonjs' });
  });
  afterAll(() => project.remove());

  it('compiles with module node16, and its types are exact', () => {
    const errorsOf = (source: string) => project.errorsOf(source, { module: ts.ModuleKind.Node16 });
    expect(errorsOf(MAIN)).toEqual([]);
    expect(errorsOf(MAIN.replace('found: bigint', 'found: number'))).toEqual([
      "8: TS2322 Type 'bigint' is not assignable to type 'number'.",
    ]);
    expect(errorsOf(MAIN.replace('status: 404', 'status: 405'))).toHaveLength(1);
  });

  it('is required, and calls a service', async () => {
    const { outputText } = ts.transpileModule(MAIN, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const main = join(project.path, 'main.cjs');
    writeFileSync(main, outputText);
    expect(outputText).toContain('require("toys")');
    const { url, close } = await served((request, response) => {
      const isFound = request.url === '/toys/9007199254740993';
      response.writeHead(isFound ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(isFound ? '{"id":9007199254740993}' : undefined);
    });
    const { stdout } = await promisify(execFile)(process.execPath, [main, url]);
    close();
    expect(stdout).toBe('9007199254740993 404 true\n');
  });
});
