// Writes the declarations of a generated client.

import type { Contract, Operation } from '@stubwright/contract';
import { propertyName, stringLiteral } from './code.ts';
import type { KeySpec } from './operationCode.ts';
import type { PageCode } from './paginationTable.ts';
import type { ClientScheme } from './servers.ts';

export interface ClientOperation {
  readonly operation: Operation;
  /** The name of its function. */
  readonly name: string;
  /** Its path in a client: a group and a name, or a name. */
  readonly member: readonly string[];
  /** The request of an example, empty if nothing is required; undefined without one. */
  readonly example: string | undefined;
  /** Of the client; undefined for a call without one. */
  readonly key: KeySpec | undefined;
  /** Undefined for an operation without pages. */
  readonly pages: PageCode | undefined;
}

/** The names of the types of requests and replies, by the name of the function. */
type MessageNames = ReadonlyMap<string, { readonly request: string; readonly reply: string }>;

export const TYPES = [
  ...['CallOptions', 'Connection', 'ConnectionOptions', 'ReplyFor', 'RequestFor'],
];

/** The exports of each package, besides its operations and the names of types. */
export const PACKAGE_NAMES = [
  ...['CallOptions', 'Client', 'ClientOptions', 'Connection', 'ReplyFor', 'RequestFor'],
  ...['connect', 'createClient'],
];

export const HEAD = 'HeadOf';

/** The type of an operation whose calls have a key of the client. */
export const KEYED = 'WithoutHeader';

/** The exports of @stubwright/client that callers need. */
export const EXPORTED = [
  ...[
    'ErrorReply',
    'isErrorOf',
    'NoResponse',
    'parse',
    'stringify',
    'UndeclaredResponse',
    'unwrap',
  ],
];

/** Adds the headers of an Encoding Object. */
export const PART_HEADERS = 'withPartHeaders';

/** The same, and `withPartHeaders` if a part may have headers. */
export function exportedNames(definition: Contract): string[] {
  const hasHeaders = definition.operations.some(({ request }) =>
    request
      .values()
      .some(({ encodings }) =>
        [...encodings.values()].some((encoding) => encoding.headers.size > 0),
      ),
  );
  return hasHeaders ? [...EXPORTED, PART_HEADERS] : EXPORTED;
}

/** @returns index.d.ts */
export function declarationsOf(
  definition: Contract,
  operations: readonly ClientOperation[],
  schemes: Iterable<ClientScheme>,
  messages: MessageNames,
): string {
  const { title = 'API' } = definition;
  const all = [...schemes];
  const groups = groupsOf(operations);
  const types = [
    ...TYPES,
    groups.size > 0 ? 'OperationMethod' : 'MethodsOf',
    ...wrappersOf(operations),
    ...(all.some(({ isBasic }) => isBasic) ? ['BasicCredential'] : []),
  ];
  const imported = [...types, ...(all.length > 0 ? ['Credential'] : [])].sort();
  const needsUrl = !hasAbsoluteServer(definition);
  return [
    `import type {\n${imported.map((name) => `  ${name},\n`).join('')}} from '@stubwright/client';\n`,
    groups.size > 0 ? pagedImport(operations, 'PagedMethod') : '',
    "import type { operations } from './contract.js';\n",
    groups.size > 0 ? '\n' : "import type * as functions from './operations.js';\n\n",
    `export {\n${exportedNames(definition)
      .map((exportedName) => `  ${exportedName},\n`)
      .join('')}} from '@stubwright/client';\n`,
    "export type * from './contract.js';\n",
    "export * from './operations.js';\n",
    'export type { CallOptions, Connection, ReplyFor, RequestFor };\n\n',
    optionsOf(all, needsUrl),
    `/** The operations of ${oneLine(title)}. */\n`,
    groups.size > 0
      ? `export interface Client {\n${membersOf(operations, groups)}}\n\n`
      : 'export type Client = MethodsOf<typeof functions>;\n\n',
    '/** Opens a connection, the first argument of each operation. */\n',
    `export declare function connect(options${needsUrl ? '' : '?'}: ClientOptions): Connection;\n\n`,
    '/** Creates a client with all operations as methods. */\n',
    `export declare function createClient(options${needsUrl ? '' : '?'}: ClientOptions): Client;\n\n`,
    ...operations.map((operation) => messagesOf(operation, messages)),
  ].join('');
}

/** @returns operations.d.ts */
export function functionsOf(operations: readonly ClientOperation[]): string {
  if (operations.length === 0) return 'export {};\n';
  return [
    typeImport([...wrappersOf(operations), 'OperationFunction'].sort()),
    pagedImport(operations, 'PagedFunction'),
    "import type { operations } from './contract.js';\n\n",
    operations.map(functionOf).join('\n'),
  ].join('');
}

/** @returns the declaration that imports types of the runtime, if any */
export function typeImport(types: readonly string[], entry = ''): string {
  return types.length === 0
    ? ''
    : `import type { ${types.join(', ')} } from '@stubwright/client${entry}';\n`;
}

/** @returns the types that wrap those of some operations */
export function wrappersOf(operations: readonly ClientOperation[]): string[] {
  const hasHead = operations.some(({ operation }) => operation.method === 'head');
  const hasKeys = operations.some(({ key }) => key);
  return [...(hasHead ? [HEAD] : []), ...(hasKeys ? [KEYED] : [])];
}

function messagesOf(clientOperation: ClientOperation, messages: MessageNames): string {
  const { name } = clientOperation;
  const type = operationType(clientOperation);
  const { request, reply } = messages.get(name)!;
  return `export type ${request} = RequestFor<${type}>;\nexport type ${reply} = ReplyFor<${type}>;\n`;
}

function optionsOf(schemes: readonly ClientScheme[], needsUrl: boolean): string {
  const url = needsUrl
    ? "  /** The URL of the service, which the contract does not declare. */\n  readonly baseUrl: NonNullable<ConnectionOptions['baseUrl']>;\n"
    : '';
  const credentials = schemes.map(({ option, isBasic, description }) => {
    const type = isBasic ? 'Credential<BasicCredential>' : 'Credential';
    return `${comment([description], '  ')}  readonly ${propertyName(option)}?: ${type} | undefined;\n`;
  });
  return `/** The options of a client. */\nexport interface ClientOptions extends ConnectionOptions {\n${url}${credentials.join('')}}\n\n`;
}

/** Groups before the operations without one. */
function membersOf(operations: readonly ClientOperation[], groups: Groups): string {
  const own = operations.filter(({ member }) => member.length === 1);
  const grouped = Array.from(groups, ([group, members]) => {
    const methods = members.map((member) => methodOf(member).replace(/^(?=.)/gm, '  '));
    return `  readonly ${propertyName(group)}: {\n${methods.join('')}  };\n`;
  });
  return [...grouped, ...own.map(methodOf)].join('');
}

type Groups = ReadonlyMap<string, readonly ClientOperation[]>;

export function groupsOf(operations: readonly ClientOperation[]): Groups {
  const grouped = operations.filter(({ member }) => member.length > 1);
  return Map.groupBy(grouped, ({ member }) => member[0]!);
}

/** `client.toys.create` */
export function memberOf({ member }: ClientOperation): string {
  return `client.${member.join('.')}`;
}

function methodOf(clientOperation: ClientOperation): string {
  const name = propertyName(clientOperation.member.at(-1)!);
  return `${documentedIn('  ', clientOperation)}  ${name}: ${callableOf(clientOperation, 'Method')};\n`;
}

function functionOf(clientOperation: ClientOperation): string {
  const type = callableOf(clientOperation, 'Function');
  return `${documentedIn('', clientOperation)}export declare const ${clientOperation.name}: ${type};\n`;
}

function callableOf(clientOperation: ClientOperation, kind: 'Function' | 'Method'): string {
  const type = operationType(clientOperation);
  if (clientOperation.pages === undefined) return `Operation${kind}<${type}>`;
  return `Paged${kind}<${type}, [${clientOperation.pages.items.map(stringLiteral).join(', ')}]>`;
}

function pagedImport(operations: readonly ClientOperation[], type: string): string {
  const hasPages = operations.some(({ pages }) => pages !== undefined);
  return typeImport(hasPages ? [type] : [], '/pages');
}

function documentedIn(indent: string, clientOperation: ClientOperation): string {
  const { operation, example } = clientOperation;
  const call =
    example === undefined ? undefined : `await ${memberOf(clientOperation)}(${example});`;
  return comment(documentationOf(operation, call), indent);
}

/** The type of an operation, of which that of its function is made. */
export function operationType({
  operation: { operationId, method },
  key,
}: ClientOperation): string {
  const type = `operations[${stringLiteral(operationId)}]`;
  const own = key === undefined ? type : `${KEYED}<${type}, ${stringLiteral(key.header)}>`;
  return method === 'head' ? `${HEAD}<${own}>` : own;
}

export function summaryOf({
  operation: { summary, method, path, deprecation },
}: ClientOperation): string {
  const text = summary ?? `${method.toUpperCase()} ${path}`;
  return comment([text, ...(deprecation === undefined ? [] : ['', '@deprecated'])], '');
}

function documentationOf(operation: Operation, call: string | undefined): string[] {
  const { summary, description, deprecation, method, path } = operation;
  const { url } = Object(operation.field('externalDocs'));
  return [
    summary ?? `${method.toUpperCase()} ${path}`,
    ...(description === undefined ? [] : ['', description.trim()]),
    ...(deprecation === undefined ? [] : ['', '@deprecated']),
    ...(typeof url === 'string' ? ['', `@see ${url}`] : []),
    ...(call === undefined ? [] : ['', '@example', call]),
  ];
}

function comment(lines: readonly string[], indent: string): string {
  const text = lines.join('\n').replaceAll('*/', '*\\/').split('\n');
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`;
  const body = text.map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${body.join('\n')}\n${indent} */\n`;
}

function oneLine(text: unknown): string {
  return String(text).replace(/\s+/g, ' ').replaceAll('*/', '*\\/');
}

export function hasAbsoluteServer({ servers }: Contract): boolean {
  return /^(?:https?:|\{)/i.test(servers.servers[0]?.url ?? '');
}
