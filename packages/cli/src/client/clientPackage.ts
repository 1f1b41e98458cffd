// The files of a generated client package.

import { createRequire } from 'node:module';
import { type CheckedContract, Contract } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { generateTypes } from '../types/generateTypes.ts';
import { freeName, identifierOf } from '../types/names.ts';
import { DEFAULT_TYPES, isConverting, type ValueTypes } from '../types/valueTypes.ts';
import { Code, expressionOf, objectOf, propertyName } from './code.ts';
import {
  type ClientOperation,
  declarationsOf,
  exportedNames,
  functionsOf,
  groupsOf,
  hasAbsoluteServer,
  memberOf,
  PART_HEADERS,
} from './declarations.ts';
import { ExampleCalls } from './exampleCalls.ts';
import { functionNames, typeNames } from './names.ts';
import { OperationCode } from './operationCode.ts';
import { type PaginationTable, pageSpecOf } from './paginationTable.ts';
import { type ClientScheme, clientSchemes, serverSpec } from './servers.ts';
import { mediaCategory } from './textShapes.ts';

interface ClientPackage {
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
  const shared = definition.security.map((requirement) => Object.keys(requirement).map(optionOf));
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
  const bound = (list: readonly ClientOperation[], connection: string, indent: string) => {
    const all = list.map(({ member, name }) => [member.at(-1)!, new Code(name)]);
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

/** Node requires ES modules since 22.12; this module has their exports. */
const COMMONJS_MODULE = "module.exports = require('./index.js');\n";

/** Exported classes with a type parameter or without. */
const CLASSES: Readonly<Record<string, string>> = {
  ErrorReply: 'ErrorReply<Reply extends AnyReply = AnyReply> = esm.ErrorReply<Reply>',
  NoResponse: 'NoResponse = esm.NoResponse',
  UndeclaredResponse: 'UndeclaredResponse = esm.UndeclaredResponse',
};
const AS_MODULE = "with { 'resolution-mode': 'import' }";

/** TypeScript requires declarations of a CommonJS module for one (TS1479). The types are those of index.d.ts. */
function commonJsDeclarations(
  operations: readonly ClientOperation[],
  exported: readonly string[],
): string {
  const names = [...exported, 'connect', 'createClient', ...operations.map(({ name }) => name)];
  const types = exported.flatMap((name) => CLASSES[name] ?? []);
  return [
    `import type { AnyReply } from '@stubwright/client' ${AS_MODULE};\n`,
    `import type * as esm from './index.js' ${AS_MODULE};\n\n`,
    `export type * from './index.js' ${AS_MODULE};\n\n`,
    ...types.map((type) => `export type ${type};\n`),
    ...names.map((name) => `export declare const ${name}: typeof esm.${name};\n`),
  ].join('');
}

interface TaggedOperation {
  readonly operationId: string;
  /** The first of its tags; undefined without one. */
  readonly tag: string | undefined;
  readonly name: string;
}

/** @returns the path of each operation in the client, by operationId: `['toys', 'create']` */
export function memberNames(
  operations: readonly TaggedOperation[],
): ReadonlyMap<string, readonly string[]> {
  const own = operations.filter(({ tag }) => tag === undefined);
  const taken = new Set(['then', ...own.map(({ name }) => name)]);
  const paths = new Map<string, readonly string[]>(
    own.map(({ operationId, name }) => [operationId, [name]]),
  );
  const tagged = operations.filter(({ tag }) => tag !== undefined);
  for (const [group, members] of Map.groupBy(tagged, ({ tag }) =>
    camelCase([identifierOf(tag!)]),
  )) {
    const name = freeName(group, taken);
    for (const [operationId, member] of shortNames(members)) paths.set(operationId, [name, member]);
  }
  return paths;
}

/** Operations that would have one name keep their own. */
function shortNames(members: readonly TaggedOperation[]): ReadonlyMap<string, string> {
  const names = new Map(members.map((member) => [member.operationId, shortName(member)]));
  for (let isUnique = false; !isUnique; ) {
    const byName = Map.groupBy(members, ({ operationId }) => names.get(operationId)!);
    const rivals = [...byName.values()].filter(({ length }) => length > 1).flat();
    for (const { operationId, name } of rivals) names.set(operationId, name);
    isUnique = rivals.length === 0;
  }
  return names;
}

/** @returns the name without the words of the tag, if an identifier is left */
function shortName({ operationId, tag, name }: TaggedOperation): string {
  const words = wordsOf(operationId);
  const dropped = wordsOf(tag!);
  const isTag = (_: string, at: number) =>
    dropped.every((word, next) => isSame(word, words[at + next]));
  const at = dropped.length === 0 ? -1 : words.findIndex(isTag);
  if (at < 0) return name;
  const short = camelCase(words.toSpliced(at, dropped.length));
  return /^[\p{ID_Start}$_]/u.test(short) && short !== 'then' ? short : name;
}

/** `ToysController_list` -> Toys, Controller, list */
function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/(?:_|[^\p{ID_Continue}$])+/u)
    .filter(Boolean);
}

function camelCase(words: readonly string[]): string {
  const [first = '', ...others] = words;
  const start = /^\P{Ll}+$/u.test(first) ? first.toLowerCase() : lowerFirst(first);
  return [start, ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('');
}

function lowerFirst(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}

/** True also for a singular and its plural. */
function isSame(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const forms = formsOf(other);
  return formsOf(one).some((form) => forms.includes(form));
}

function formsOf(word: string): string[] {
  const plain = word.toLowerCase();
  return [plain, plain.replace(/s$/, ''), plain.replace(/es$/, ''), plain.replace(/ies$/, 'y')];
}

interface PackageOptions {
  readonly name: string;
  readonly runtime: string;
  readonly files: readonly string[];
  readonly types: ValueTypes;
}

/** The modules besides the index. */
const ENTRIES = ['query', 'msw'];
/** The first version whose handlers have predicates. */
const MSW = {
  peerDependencies: { msw: '>=2.11' },
  peerDependenciesMeta: { msw: { optional: true } },
};

function packageJson(
  { title, version, license }: Contract,
  { name, runtime, files, types }: PackageOptions,
): string {
  const entries = ENTRIES.filter((entry) => files.includes(`${entry}.js`));
  const manifest = {
    name,
    version: packageVersion(version),
    description: `A client of ${String(title ?? 'the API').replace(/\s+/g, ' ')}`,
    // A name with spaces is no SPDX identifier.
    ...(/^[\w.+-]+$/.test(license ?? '') && { license }),
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22.12' },
    files,
    exports: {
      '.': {
        require: { types: './index.d.cts', default: './index.cjs' },
        types: './index.d.ts',
        default: './index.js',
      },
      ...Object.fromEntries(
        entries.map((entry) => [
          `./${entry}`,
          { types: `./${entry}.d.ts`, default: `./${entry}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    // The next generation uses them too.
    ...(isConverting(types) && { stubwright: types }),
    dependencies: { '@stubwright/client': `^${runtime}` },
    ...(entries.includes('msw') && MSW),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** `Toy store` -> `toy-store` */
export function packageName(title: unknown): string {
  const words = String(title ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, 214) ?? 'client';
}

const SEMANTIC =
  /^v?(\d+)\.(\d+)\.(\d+)((?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/;

/** npm accepts semantic versions only: `v2.1` -> `2.1.0`, `2025-01-31` -> `2025.1.31`. */
export function packageVersion(version: unknown): string {
  const text = String(version ?? '').trim();
  const [, major, minor, patch, rest = ''] = SEMANTIC.exec(text) ?? [];
  const numbers = major === undefined ? (text.match(/\d+/g) ?? []) : [major, minor, patch];
  return [...numbers, 0, 0, 0].slice(0, 3).map(Number).join('.') + rest;
}

function readmeOf(
  name: string,
  definition: Contract,
  operations: readonly ClientOperation[],
  { schemes, types }: { schemes: ReadonlyMap<string, ClientScheme>; types: ValueTypes },
): string {
  const { title, description } = definition;
  const usesPart = operations.some(({ example }) => example?.includes(`${PART_HEADERS}(`));
  const imported = ['createClient', 'unwrap', ...(usesPart ? [PART_HEADERS] : [])];
  const about = String(description ?? '').trim();
  return [
    `# ${name}\n\nA client of ${oneLine(title)}, for browsers, Node, Bun, Deno and workers. Generated from its OpenAPI contract.\n`,
    about === '' ? '' : `\n${about.replace(/^#/gm, '###')}\n`,
    `\n\`\`\`sh\nnpm install ${name}\n\`\`\`\n`,
    `\n\`\`\`ts\nimport { ${imported.join(', ')} } from '${name}';\n\n${creation(definition, operations, schemes)}\`\`\`\n`,
    `\nA call returns a reply, discriminated by \`status\`. \`unwrap\` returns the body of a success, or throws an \`ErrorReply\`. ${typesText(types)}\n`,
    `\nBundlers drop unused operations of \`import { connect, ${operations[0]?.name ?? 'operation'} }\`: the first argument of each is \`connect(options)\`. The options are those of [@stubwright/client](https://www.npmjs.com/package/@stubwright/client).\n`,
    '\n## Operations\n',
    ...operations.map(sectionOf),
  ].join('');
}

function typesText({ dates, int64 }: ValueTypes): string {
  const integers = `An int64 is a \`${int64}\`.`;
  return dates === 'string' ? integers : `${integers} A date is a \`Date\`, in UTC.`;
}

function creation(
  definition: Contract,
  operations: readonly ClientOperation[],
  schemes: ReadonlyMap<string, ClientScheme>,
): string {
  const credentials = neededSchemes(operations, schemes).map(({ option, isBasic }) => {
    return [option, isBasic ? { username: 'user', password: 'secret' } : 'token'];
  });
  const baseUrl = hasAbsoluteServer(definition) ? undefined : localUrl(definition);
  const options = { baseUrl, ...Object.fromEntries(credentials) };
  const text = expressionOf(options);
  return `const client = createClient(${text === '{}' ? '' : text});\n`;
}

/** @returns the schemes of one alternative of each operation; its first, unless others are needed anyway */
function neededSchemes(
  operations: readonly ClientOperation[],
  schemes: ReadonlyMap<string, ClientScheme>,
): ClientScheme[] {
  const needed = new Set<string>();
  const alternatives = operations.map(({ operation }) => operation.security.map(Object.keys));
  const isKnown = (names: readonly string[]) => names.every((name) => schemes.has(name));
  for (const alternative of alternatives.sort((one, other) => one.length - other.length)) {
    if (alternative.some((names) => names.every((name) => needed.has(name)))) continue;
    for (const name of alternative.find(isKnown) ?? []) needed.add(name);
  }
  return [...schemes].flatMap(([name, scheme]) => (needed.has(name) ? [scheme] : []));
}

/** A relative server of the contract, on this machine. */
function localUrl(definition: Contract): string {
  const { url = '', variables = {} } = serverSpec(definition.servers) ?? {};
  const path = url.replace(/\{([^{}]+)\}/g, (written, name: string) => variables[name] ?? written);
  const local = 'http://127.0.0.1:3000';
  return (URL.parse(path, local)?.href ?? local).replace(/\/$/, '');
}

function sectionOf(clientOperation: ClientOperation): string {
  const { operation, member, example } = clientOperation;
  const { summary, deprecation } = operation;
  const title = summary ?? `${operation.method.toUpperCase()} ${operation.path}`;
  const heading = `\n### ${member.join('.')}\n\n${oneLine(title)}${deprecation === undefined ? '' : ' (deprecated)'}\n`;
  if (example === undefined) return `${heading}\nNo request was found that the contract allows.\n`;
  const call = `const reply = await ${memberOf(clientOperation)}(${example});`;
  // Longer than any in the example (CommonMark, section 4.5).
  const fence = '`'.repeat(
    Math.max(3, ...(call.match(/`+/g) ?? []).map(({ length }) => length + 1)),
  );
  return `${heading}\n${fence}ts\n${call}\n${fence}\n`;
}

function oneLine(text: unknown): string {
  return String(text).replace(/\s+/g, ' ');
}
