// Writes the declarations of a generated client.
import type { Contract, Operation } from '@stubwright/contract';
import { propertyName, stringLiteral } from './code.ts';
import type { ClientScheme } from './servers.ts';

export interface ClientOperation {
  readonly operation: Operation;
  /** The name of its function. */
  readonly name: string;
  /** The request of an example, empty if nothing is required; undefined without one. */
  readonly example: string | undefined;
}

/** The names of the types of an operation. */
export interface MessageNames {
  readonly request: string;
  readonly reply: string;
}

export interface TypeNames {
  /** By the name of the component. */
  readonly components: ReadonlyMap<string, string>;
  /** By the name of the function. */
  readonly messages: ReadonlyMap<string, MessageNames>;
}

export const TYPES = [
  ...['CallOptions', 'Connection', 'ConnectionOptions', 'MethodsOf', 'ReplyFor', 'RequestFor'],
];

/** The exports of each package, besides its operations and the names of types. */
export const PACKAGE_NAMES = [
  ...['CallOptions', 'Client', 'ClientOptions', 'Connection', 'ReplyFor', 'RequestFor'],
  ...['connect', 'createClient'],
];

/** The type of an operation of HEAD. */
export const HEAD = 'HeadOf';

/** The exports of @stubwright/client that callers need. */
export const EXPORTED = ['ErrorReply', 'isErrorOf', 'NoResponse', 'UndeclaredResponse', 'unwrap'];

/** Adds the headers of an Encoding Object. */
export const PART_HEADERS = 'withPartHeaders';

/** The same, and `withPartHeaders` if a part may have headers. */
export function exportedNames(definition: Contract): string[] {
  const hasHeaders = definition.operations.some(({ request }) =>
    request
      .values()
      .some(({ encodings }) => [...encodings.values()].some((each) => each.headers.size > 0)),
  );
  return hasHeaders ? [...EXPORTED, PART_HEADERS] : EXPORTED;
}

/**
 * @param names of the types of components
 * @returns index.d.ts
 */
export function declarationsOf(
  definition: Contract,
  operations: readonly ClientOperation[],
  schemes: Iterable<ClientScheme>,
  names: TypeNames,
): string {
  const { title = 'API' } = definition;
  const all = [...schemes];
  const types = [
    ...TYPES,
    ...(operations.some(isHead) ? [HEAD] : []),
    ...(all.some(({ isBasic }) => isBasic) ? ['BasicCredential'] : []),
  ];
  const imported = [...types, ...(all.length > 0 ? ['Credential'] : [])].sort();
  const needsUrl = !hasAbsoluteServer(definition);
  return [
    `import type {\n${imported.map((each) => `  ${each},\n`).join('')}} from '@stubwright/client';\n`,
    "import type { operations } from './contract.js';\n",
    "import type * as functions from './operations.js';\n\n",
    `export {\n${exportedNames(definition)
      .map((each) => `  ${each},\n`)
      .join('')}} from '@stubwright/client';\n`,
    "export type * from './contract.js';\n",
    "export * from './operations.js';\n",
    'export type { CallOptions, Connection, ReplyFor, RequestFor };\n\n',
    optionsOf(all, needsUrl),
    `/** The operations of ${oneLine(title)}. */\nexport type Client = MethodsOf<typeof functions>;\n\n`,
    '/** Opens a connection, the first argument of each operation. */\n',
    `export declare function connect(options${needsUrl ? '' : '?'}: ClientOptions): Connection;\n\n`,
    '/** Creates a client with all operations as methods. */\n',
    `export declare function createClient(options${needsUrl ? '' : '?'}: ClientOptions): Client;\n\n`,
    ...operations.map((each) => messagesOf(each, names)),
  ].join('');
}

/** @returns operations.d.ts */
export function functionsOf(operations: readonly ClientOperation[]): string {
  const types = [...(operations.some(isHead) ? [HEAD] : []), 'OperationFunction'];
  const imports = `import type { ${types.join(', ')} } from '@stubwright/client';\n`;
  return [
    operations.length === 0 ? 'export {};\n' : imports,
    operations.length === 0 ? '' : "import type { operations } from './contract.js';\n\n",
    operations.map((each) => functionOf(each)).join('\n'),
  ].join('');
}

function isHead({ operation }: ClientOperation): boolean {
  return operation.method === 'head';
}

/** The types of requests and replies. */
function messagesOf({ operation, name }: ClientOperation, { messages }: TypeNames): string {
  const type = typeOf(operation);
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

function functionOf({ operation, name, example }: ClientOperation): string {
  const type = typeOf(operation);
  const call = example === undefined ? undefined : `await client.${name}(${example});`;
  const docs = documentationOf(operation, call);
  return `${comment(docs, '')}export declare const ${name}: OperationFunction<${type}>;\n`;
}

function typeOf({ operationId, method }: Operation): string {
  const type = `operations[${stringLiteral(operationId)}]`;
  return method === 'head' ? `${HEAD}<${type}>` : type;
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
