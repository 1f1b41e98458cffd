// Finds an operation whose request body is a row: a handler can store it.
import {
  type Content,
  type Contents,
  type Contract,
  isJsonMediaType,
  type Operation,
  type Schema,
} from '@stubwright/contract';
import { nameOf } from './names.ts';

type StoredType = 'int64' | 'integer' | 'text' | 'float64' | 'boolean';

interface StoredColumn {
  readonly type: StoredType;
  readonly isOptional: boolean;
}

export interface StoredOperation {
  readonly operationId: string;
  readonly table: string;
  readonly key: string;
  readonly columns: ReadonlyMap<string, StoredColumn>;
  readonly status: number;
  /** True if the request body is a valid response body; false without one. */
  readonly repliesBody: boolean;
}

const METHODS = new Set(['post', 'put']);
const NAME = /^[A-Za-z_]\w*$/;

/** @returns the first such operation of the contract */
export function storedOperation(definition: Contract): StoredOperation | undefined {
  for (const operation of definition.operations) {
    const found = METHODS.has(operation.method) ? rowOf(operation) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function rowOf(operation: Operation): StoredOperation | undefined {
  const { requestBody, request, operationId, path, errors } = operation;
  if (requestBody?.isRequired !== true || errors.length > 0) return undefined;
  const body = jsonSchema(request);
  const columns = body && columnsOf(body);
  if (columns === undefined) return undefined;
  const key = keyOf(columns);
  const reply = replyOf(operation, columns, body!);
  if (key === undefined || reply === undefined) return undefined;
  const segments = path.split('/').filter((part) => part !== '' && !part.includes('{'));
  // The key first.
  const ordered = new Map([[key, columns.get(key)!], ...columns]);
  const table = nameOf(segments.at(-1) ?? operationId);
  return { operationId, table, key, columns: ordered, ...reply };
}

/** @returns the schema of a body whose only media type is JSON */
function jsonSchema({ entries }: Contents<Content>): Schema | undefined {
  const [only, ...others] = entries;
  if (only === undefined || others.length > 0 || !isJsonMediaType(only.key)) return undefined;
  const { schema } = only.content;
  return schema?.ref ?? schema;
}

/** @returns undefined for an object that has other properties than scalars, or alternatives */
function columnsOf(body: Schema): Map<string, StoredColumn> | undefined {
  if (!body.conjuncts.every(isPlain) || !hasOnlyType(body, 'object')) return undefined;
  const required = requiredOf(body);
  const columns = new Map<string, StoredColumn>();
  for (const [name, schema] of propertiesOf(body)) {
    const type = typeOf(schema);
    if (type === undefined || !NAME.test(name)) return undefined;
    columns.set(name, { type, isOptional: !required.has(name) });
  }
  return columns;
}

function keyOf(columns: ReadonlyMap<string, StoredColumn>): string | undefined {
  const isKey = ({ type, isOptional }: StoredColumn) =>
    !isOptional && (type === 'int64' || type === 'text');
  const keys = [...columns].filter(([, column]) => isKey(column)).map(([name]) => name);
  return keys.find((name) => name === 'id') ?? keys[0];
}

/** @returns the lowest declared success, if the request body is a valid response body, or it has none */
function replyOf(
  { responses }: Operation,
  columns: ReadonlyMap<string, StoredColumn>,
  body: Schema,
): Pick<StoredOperation, 'status' | 'repliesBody'> | undefined {
  const [code] = [...responses.keys()].filter((key) => /^2\d\d$/.test(key)).sort();
  if (code === undefined) return undefined;
  const response = responses.get(code)!;
  const status = Number(code);
  if ([...response.headers.values()].some(({ isRequired }) => isRequired)) return undefined;
  if (response.contents.size === 0) return { status, repliesBody: false };
  const schema = jsonSchema(response.contents);
  const isReply = schema !== undefined && accepts(schema, columns, body);
  return isReply ? { status, repliesBody: true } : undefined;
}

function accepts(reply: Schema, columns: ReadonlyMap<string, StoredColumn>, body: Schema): boolean {
  const sent = propertiesOf(body);
  const required = requiredOf(reply);
  return (
    reply.conjuncts.every(isPlain) &&
    hasOnlyType(reply, 'object') &&
    [...required].every((name) => columns.get(name)?.isOptional === false) &&
    [...propertiesOf(reply)].every(([name, schema]) => {
      const own = sent.get(name);
      return own === undefined || own.pointer === schema.pointer || isEqual(own, schema);
    })
  );
}

function isEqual(one: Schema, other: Schema): boolean {
  return JSON.stringify(one.written) === JSON.stringify(other.written);
}

function typeOf(schema: Schema): StoredType | undefined {
  const { conjuncts } = schema;
  if (!conjuncts.every(isPlain)) return undefined;
  if (conjuncts.some(({ keywords }) => keywords.readOnly || keywords.writeOnly)) return undefined;
  const formats = conjuncts.map(({ keywords }) => keywords.format);
  if (hasOnlyType(schema, 'string')) return 'text';
  if (hasOnlyType(schema, 'boolean')) return 'boolean';
  if (hasOnlyType(schema, 'number')) return 'float64';
  if (hasOnlyType(schema, 'integer')) return formats.includes('int64') ? 'int64' : 'integer';
  return undefined;
}

function isPlain(schema: Schema): boolean {
  const alternatives = ['oneOf', 'anyOf', 'not', 'if', '$dynamicRef'] as const;
  return !schema.isNullable && !alternatives.some((keyword) => schema.has(keyword));
}

function hasOnlyType({ conjuncts }: Schema, type: string): boolean {
  const typed = conjuncts.flatMap(({ types }) => (types === undefined ? [] : [[...types]]));
  return typed.length > 0 && typed.every((types) => types.length === 1 && types[0] === type);
}

function requiredOf({ conjuncts }: Schema): Set<string> {
  return new Set(conjuncts.flatMap(({ keywords }) => (keywords.required as string[]) ?? []));
}

function propertiesOf({ conjuncts }: Schema): Map<string, Schema> {
  return new Map(conjuncts.flatMap((conjunct) => [...conjunct.map('properties')]));
}
