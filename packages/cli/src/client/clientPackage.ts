// The files of a generated client package.

import { createRequire } from 'node:module';
import { type CheckedContract, Contract } from '@stubwright/contract';
import { generateTypes } from '../types/generateTypes.ts';
import { Code, expressionOf } from './code.ts';
import {
  type ClientOperation,
  declarationsOf,
  exportedNames,
  functionsOf,
} from './declarations.ts';
import { ExampleCalls } from './exampleCalls.ts';
import { functionNames } from './identifiers.ts';
import { OperationCode } from './operationCode.ts';
import { packageJson } from './packageJson.ts';
import { readmeOf } from './readme.ts';
import { clientSchemes, serverSpec } from './servers.ts';
import { typeNames } from './typeNames.ts';

export interface ClientPackage {
  /** By name. */
  readonly files: ReadonlyMap<string, string>;
  readonly name: string;
  readonly version: string;
  readonly operations: number;
}

/**
 * @param path of the contract, for the first line of the sources
 * @param contract its operations with errors are left out
 * @param name by default from the title
 */
export async function clientPackage(
  path: string,
  { document, errors = [] }: Pick<CheckedContract, 'document'> & Partial<CheckedContract>,
  name?: string,
): Promise<ClientPackage> {
  const definition = new Contract(document, errors);
  const examples = new ExampleCalls(definition);
  const names = functionNames(definition.operations);
  const operations = definition.operations.map((operation) => ({
    operation,
    name: names.get(operation.operationId)!,
    example: examples.of(operation)?.text,
  }));
  const schemes = clientSchemes(definition);
  const types = typeNames(Object.keys(document.components?.schemas ?? {}), operations);
  const header = `// Generated from ${path}; edit that.\n`;
  const sources = new Map([
    ['index.js', header + moduleOf(definition, operations)],
    ['index.d.ts', header + declarationsOf(definition, operations, schemes.values(), types)],
    ['operations.d.ts', header + functionsOf(operations)],
    [
      'contract.d.ts',
      generateTypes(path, document, { target: 'client', exported: types.components, errors }),
    ],
  ]);
  // All packages have the same version.
  const { version } = createRequire(import.meta.url)('@stubwright/cli/package.json');
  const manifest = packageJson(definition, {
    ...{ name, runtime: version, files: [...sources.keys()] },
  });
  const { name: packageName, version: packageVersion } = JSON.parse(manifest);
  const readme = readmeOf(packageName, definition, operations, schemes);
  return {
    files: new Map([...sources, ['package.json', manifest], ['README.md', readme]]),
    name: packageName,
    version: packageVersion,
    operations: operations.length,
  };
}

/** @returns index.js */
function moduleOf(definition: Contract, operations: readonly ClientOperation[]): string {
  const names = operations.map(({ name }) => name);
  const code = new OperationCode(definition, names);
  const schemes = clientSchemes(definition);
  const optionOf = (name: string) => schemes.get(name)?.option ?? name;
  const shared = definition.security.map((each) => Object.keys(each).map(optionOf));
  const api = {
    server: serverSpec(definition.servers),
    schemes: schemes.size === 0 ? undefined : schemesOf(schemes.values()),
    security: shared.length === 0 ? undefined : shared,
  };
  const functions = operations.map(
    ({ operation, name }) =>
      `export const ${name} = ${code.of(operation, shared, optionOf).text};\n\n`,
  );
  const { constants } = code;
  const imported = [...constants.imports, 'bindOperations', 'openConnection'].sort();
  const all = Object.fromEntries(names.map((name) => [name, new Code(name)]));
  return [
    `import { ${imported.join(', ')} } from '@stubwright/client';\n\n`,
    `export { ${exportedNames(definition).join(', ')} } from '@stubwright/client';\n\n`,
    `const api = ${expressionOf(api)};\n\n`,
    constants.text === '' ? '' : `${constants.text}\n`,
    ...functions,
    'export function connect(options = {}) {\n  return openConnection(api, options, options);\n}\n\n',
    `export function createClient(options) {\n  return bindOperations(connect(options), ${expressionOf(all, '  ')});\n}\n`,
  ].join('');
}

function schemesOf(schemes: Iterable<{ readonly option: string; readonly spec: object }>): object {
  return Object.fromEntries([...schemes].map(({ option, spec }) => [option, spec]));
}
