// The files of a generated client package.

import { createRequire } from 'node:module';
import { type CheckedContract, Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { generateTypes } from '../types/generateTypes.ts';
import { DEFAULT_TYPES, type ValueTypes } from '../types/valueTypes.ts';
import { Code, expressionOf, objectOf, propertyName } from './code.ts';
import { COMMONJS_MODULE, commonJsDeclarations } from './commonJs.ts';
import {
  type ClientOperation,
  declarationsOf,
  exportedNames,
  functionsOf,
  groupsOf,
} from './declarations.ts';
import { ExampleCalls } from './exampleCalls.ts';
import { functionNames } from './identifiers.ts';
import { mediaCategory } from './mediaCategory.ts';
import { memberNames } from './members.ts';
import { OperationCode } from './operationCode.ts';
import { packageJson, packageName } from './packageJson.ts';
import { type PaginationTable, pageSpecOf } from './paginationTable.ts';
import { readmeOf } from './readme.ts';
import { clientSchemes, serverSpec } from './servers.ts';
import { typeNames } from './typeNames.ts';

export interface ClientPackage {
  /** By name. */
  readonly files: ReadonlyMap<string, string>;
  readonly name: string;
  readonly version: string;
  readonly operations: number;
  /** The contents that have a value in the contract, and XML in the client: `createToy: application/xml`. */
  readonly xmlTexts: readonly string[];
}

export interface ClientOptions {
  /** Of the package: by default from the title of the contract. */
  readonly name?: string | undefined;
  /** `tags` for operations as methods of their tag. */
  readonly group?: 'tags' | undefined;
  /** The library of queries, for an entry of its own. */
  readonly query?: 'tanstack' | undefined;
  /** True for an entry with handlers of Mock Service Worker. */
  readonly msw?: boolean | undefined;
  /** Without errors. */
  readonly pagination?: PaginationTable | undefined;
  /** By default strings and bigints. */
  readonly types?: Partial<ValueTypes> | undefined;
}

/** @param contract its operations with errors are left out */
export async function clientPackage(
  path: string,
  { document, errors = [] }: Pick<CheckedContract, 'document'> & Partial<CheckedContract>,
  { name, group, query, msw = false, pagination = {}, types: chosen }: ClientOptions = {},
): Promise<ClientPackage> {
  const definition = new Contract(document, errors);
  const values = { ...DEFAULT_TYPES, ...chosen };
  const examples = new ExampleCalls(definition, values);
  const names = functionNames(definition.operations);
  const code = new OperationCode(definition, names.values(), values);
  const tagged = definition.operations.map(({ operationId, tags: [tag] }) => {
    return { operationId, tag, name: names.get(operationId)! };
  });
  const members = group === 'tags' ? memberNames(tagged) : undefined;
  const operations = definition.operations.map((operation) => ({
    operation,
    key: code.keySpec(operation),
    pages: pageSpecOf(operation, pagination),
    member: members?.get(operation.operationId) ?? [names.get(operation.operationId)!],
    name: names.get(operation.operationId)!,
    example: examples.of(operation)?.text,
  }));
  const schemes = clientSchemes(definition);
  const types = typeNames(Object.keys(document.components?.schemas ?? {}), operations);
  const header = `// Generated from ${path}; edit that.\n`;
  const scope = name ?? packageName(definition.title);
  const queries = query && (await import('./query/queryModule.ts')).queryFiles;
  const mocks = msw && (await import('./msw/mswModule.ts')).mswFiles;
  const entries = [
    ...(queries ? queries(definition, operations, scope) : []),
    ...(mocks ? await mocks(definition, operations, values) : []),
  ];
  const sources = new Map([
    ['index.js', header + moduleOf(definition, code, operations)],
    [
      'index.d.ts',
      header + declarationsOf(definition, operations, schemes.values(), types.messages),
    ],
    ['operations.d.ts', header + functionsOf(operations)],
    ['index.cjs', header + COMMONJS_MODULE],
    ['index.d.cts', header + commonJsDeclarations(operations, exportedNames(definition))],
    [
      'contract.d.ts',
      generateTypes(path, document, {
        ...{ target: 'client', exported: types.components, errors, types: values },
      }),
    ],
    ...entries.map(([file, text]): [string, string] => [file, header + text]),
  ]);
  // All packages have the same version.
  const { version } = createRequire(import.meta.url)('@stubwright/cli/package.json');
  const manifest = packageJson(definition, {
    ...{ name: scope, runtime: version, files: [...sources.keys()], types: values },
  });
  const { version: packageVersion } = JSON.parse(manifest);
  const readme = readmeOf(scope, definition, operations, { schemes, types: values });
  return {
    files: new Map([...sources, ['package.json', manifest], ['README.md', readme]]),
    name: scope,
    version: packageVersion,
    operations: operations.length,
    xmlTexts: xmlTextsIn(definition),
  };
}

/** Only services have a codec of XML, which needs a parser. */
function xmlTextsIn(definition: Contract): string[] {
  const validators = new Validators(definition, 'request');
  const found = definition.operations.flatMap(({ operationId, request, responses }) =>
    [request, ...[...responses.values()].map(({ contents }) => contents)].flatMap(({ entries }) =>
      entries.flatMap(({ key, content }) => {
        const isText = mediaCategory(key, content, validators) === 'xml' && content.schema;
        return isText ? [`${operationId}: ${key}`] : [];
      }),
    ),
  );
  return [...new Set(found)];
}

/** @returns index.js */
function moduleOf(
  definition: Contract,
  code: OperationCode,
  operations: readonly ClientOperation[],
): string {
  const schemes = clientSchemes(definition);
  const optionOf = (name: string) => schemes.get(name)?.option ?? name;
  const shared = definition.security.map((each) => Object.keys(each).map(optionOf));
  const api = {
    server: serverSpec(definition.servers),
    schemes: objectOf(Array.from(schemes.values(), ({ option, spec }) => [option, spec])),
    security: shared.length === 0 ? undefined : shared,
  };
  const functions = operations.map(
    ({ operation, name, pages }) =>
      `export const ${name} = ${code.of(operation, shared, optionOf, pages).text};\n\n`,
  );
  const { constants } = code;
  return [
    `${constants.importsWith(['bindOperations', 'openConnection'])}\n`,
    `export { ${exportedNames(definition).join(', ')} } from '@stubwright/client';\n\n`,
    `const api = ${expressionOf(api)};\n\n`,
    constants.text === '' ? '' : `${constants.text}\n`,
    ...functions,
    'export function connect(options = {}) {\n  return openConnection(api, options, options);\n}\n\n',
    createClientOf(operations),
  ].join('');
}

/** @returns the function that binds all operations, in groups if they have any */
function createClientOf(operations: readonly ClientOperation[]): string {
  const bound = (each: readonly ClientOperation[], connection: string, indent: string) => {
    const all = each.map(({ member, name }) => [member.at(-1)!, new Code(name)]);
    return `bindOperations(${connection}, ${expressionOf(Object.fromEntries(all), indent)})`;
  };
  const own = operations.filter(({ member }) => member.length === 1);
  const groups = groupsOf(operations);
  const start = 'export function createClient(options) {\n';
  if (groups.size === 0) return `${start}  return ${bound(own, 'connect(options)', '  ')};\n}\n`;
  const members = Array.from(groups, ([group, each]) => {
    return `    ${propertyName(group)}: ${bound(each, 'clientConnection', '    ')},\n`;
  });
  if (own.length > 0) members.push(`    ...${bound(own, 'clientConnection', '    ')},\n`);
  return `${start}  const clientConnection = connect(options);\n  return {\n${members.join('')}  };\n}\n`;
}
