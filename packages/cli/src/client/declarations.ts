// Writes the declarations of a generated client.
import type { Contract, Operation } from '@stubwright/contract';
import { propertyName, stringLiteral } from './code.ts';
import type { KeySpec } from './idempotencyKey.ts';
import type { PageSpec } from './paginationTable.ts';
import type { ClientScheme } from './servers.ts';

export interface ClientOperation {
  readonly operation: Operation;
  /** The name of its function. */
  readonly name: string;
  /** Its path in a client: a group and a name, or a name. */
  readonly member: readonly string[];
  /** The request of an example; undefined without one. */
  readonly example: string | undefined;
  /** Of the client; undefined for a call without one. */
  readonly key: KeySpec | undefined;
  /** Undefined for an operation without pages. */
  readonly pages: PageSpec | undefined;
}

export const TYPES = [
  ...['CallOptions', 'Connection', 'ConnectionOptions', 'OperationFunction', 'OperationMethod'],
  ...['ReplyFor', 'RequestFor'],
];

/** The type of an operation of HEAD. */
export const HEAD = 'HeadOf';

/** The type of an operation whose calls have a key of the client. */
export const KEYED = 'WithoutHeader';

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

/** @returns index.d.ts */
export function declarationsOf(
  definition: Contract,
  operations: readonly ClientOperation[],
  schemes: Iterable<ClientScheme>,
): string {
  const { title = 'API' } = definition;
  const all = [...schemes];
  const hasHead = operations.some(({ operation }) => operation.method === 'head');
  const types = [
    ...TYPES,
    ...(hasHead ? [HEAD] : []),
    ...(operations.some(({ key }) => key) ? [KEYED] : []),
    ...(all.some(({ isBasic }) => isBasic) ? ['BasicCredential'] : []),
  ];
  const imported = [...types, ...(all.length > 0 ? ['Credential'] : [])].sort();
  const needsUrl = !hasAbsoluteServer(definition);
  return [
    `import type {\n${imported.map((each) => `  ${each},\n`).join('')}} from '@stubwright/client';\n`,
    operations.some(({ pages }) => pages)
      ? "import type { PagedFunction, PagedMethod } from '@stubwright/client/pages';\n"
      : '',
    "import type { operations } from './contract.js';\n\n",
    `export {\n${exportedNames(definition)
      .map((each) => `  ${each},\n`)
      .join('')}} from '@stubwright/client';\n`,
    "export type * from './contract.js';\n",
    'export type { CallOptions, Connection, ReplyFor, RequestFor };\n\n',
    optionsOf(all, needsUrl),
    `/** The operations of ${oneLine(title)}. */\nexport interface Client {\n`,
    ...membersOf(operations),
    '}\n\n',
    ...operations.map((each) => functionOf(each)),
    '/** Opens a connection, the first argument of each operation. */\n',
    `export declare function connect(options${needsUrl ? '' : '?'}: ClientOptions): Connection;\n\n`,
    '/** Creates a client with all operations as methods. */\n',
    `export declare function createClient(options${needsUrl ? '' : '?'}: ClientOptions): Client;\n`,
  ].join('');
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
function membersOf(operations: readonly ClientOperation[]): string[] {
  const own = operations.filter(({ member }) => member.length === 1);
  const groups = Array.from(groupsOf(operations), ([group, members]) => {
    const methods = members.map((each) => methodOf(each).replace(/^(?=.)/gm, '  '));
    return `  readonly ${propertyName(group)}: {\n${methods.join('')}  };\n`;
  });
  return [...groups, ...own.map(methodOf)];
}

/** @returns the operations of each group */
export function groupsOf(
  operations: readonly ClientOperation[],
): ReadonlyMap<string, readonly ClientOperation[]> {
  const grouped = operations.filter(({ member }) => member.length > 1);
  return Map.groupBy(grouped, ({ member }) => member[0]!);
}

/** `client.toys.create` */
export function memberOf({ member }: ClientOperation): string {
  return `client.${member.join('.')}`;
}

function methodOf(each: ClientOperation): string {
  const { operation, member, example } = each;
  const docs = documentationOf(operation, `await ${memberOf(each)}(${example ?? ''});`);
  return `${comment(docs, '  ')}  ${propertyName(member.at(-1)!)}: ${callableOf(each, 'Method')};\n`;
}

function functionOf(each: ClientOperation): string {
  const { operation, name, example } = each;
  const args = ['connection', ...(example === undefined ? [] : [example])].join(', ');
  const docs = documentationOf(operation, `await ${name}(${args});`);
  return `${comment(docs, '')}export declare const ${name}: ${callableOf(each, 'Function')};\n\n`;
}

function callableOf({ operation, key, pages }: ClientOperation, kind: string): string {
  const type = typeOf(operation, key);
  if (pages === undefined) return `Operation${kind}<${type}>`;
  return `Paged${kind}<${type}, [${pages.items.map(stringLiteral).join(', ')}]>`;
}

function typeOf({ operationId, method }: Operation, key: KeySpec | undefined): string {
  const type = `operations[${stringLiteral(operationId)}]`;
  const own = key === undefined ? type : `${KEYED}<${type}, ${stringLiteral(key.header)}>`;
  return method === 'head' ? `${HEAD}<${own}>` : own;
}

function documentationOf(operation: Operation, call: string): string[] {
  const { summary, description, deprecation, method, path } = operation;
  const { url } = Object(operation.field('externalDocs'));
  return [
    summary ?? `${method.toUpperCase()} ${path}`,
    ...(description === undefined ? [] : ['', description.trim()]),
    ...(deprecation === undefined ? [] : ['', '@deprecated']),
    ...(typeof url === 'string' ? ['', `@see ${url}`] : []),
    ...['', '@example', call],
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
