// Probes the engine: each construct in a minimal contract, with a valid and an invalid value.
import { Readable } from 'node:stream';
import { Definition, type Node, type Operation } from 'stubwright/internal/document/definition';
import { Problem } from 'stubwright/internal/errors/problem';
import { RequestBody } from 'stubwright/internal/request/body/body';
import { type BodySource, Exchange } from 'stubwright/internal/request/exchange';
import { Parameters } from 'stubwright/internal/request/parameters/parameters';
import { type HandlerReply, Replies } from 'stubwright/internal/response/reply';
import { Coercions } from 'stubwright/internal/schema/coercion';
import type { Direction } from 'stubwright/internal/schema/model';
import { Validators } from 'stubwright/internal/schema/validator';
import { Security } from 'stubwright/internal/security/security';
import { keywordProbe } from './keywordProbes.ts';

/** Values of which each known format refuses at least one. */
const SUSPECT_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', '*', '\u0000 %', 'a b', '{', '[', '/~2'],
  number: [1.5, 2 ** 40, 1e39, -1, 2 ** 70],
};

/** @returns whether a schema keyword is enforced; undefined without a probe */
export function isKeywordEnforced(keyword: string, version: string): boolean | undefined {
  if (keyword === 'default') return isDefaultApplied(version);
  const probe = keywordProbe(keyword, version);
  if (probe === undefined) return undefined;
  const [schema, valid, invalid, direction = 'request'] = probe;
  const validate = validatorOf(schema, version, direction);
  return validate(valid) === true && validate(invalid) === false;
}

/** @returns true if the format refuses some value of the type */
export function isFormatEnforced(format: string, type: string, version: string): boolean {
  const plain = validatorOf({ type }, version, 'request');
  const validate = validatorOf({ type, format }, version, 'request');
  const values = type === 'string' ? SUSPECT_VALUES['string']! : SUSPECT_VALUES['number']!;
  return values.some((value) => plain(value) && !validate(value));
}

const NO_BODY: BodySource = {
  readBody: async () => Buffer.alloc(0),
  stream: () => Readable.from([]),
};

/** Well-formed JSON and XML that violate the schema of the probe. */
const INVALID_BODIES = ['null', '<x/>'];

/** @returns true if a body of the type that violates its schema or is malformed is refused */
export async function isMediaTypeEnforced(type: string, version: string): Promise<boolean> {
  const schema = { type: 'array', minItems: 99 };
  const content = { [type]: { schema } };
  const { definition, operation } = minimalOperation(version, { requestBody: { content } });
  const validators = new Validators(definition, 'request');
  const body = new RequestBody(definition, operation, validators, new Coercions(validators));
  const sent = type.replace('*/*', 'application/x').replace('/*', '/plain');
  for (const text of INVALID_BODIES) {
    if (!(await isRefused(body, sent, Buffer.from(text)))) return false;
  }
  return true;
}

async function isRefused(body: RequestBody, type: string, bytes: Buffer): Promise<boolean> {
  const headers = { 'content-type': type, 'content-length': '4' };
  const exchange = new Exchange(
    { method: 'POST', url: '/', headers },
    { readBody: async () => bytes, stream: () => Readable.from([bytes]) },
  );
  try {
    await body.read(exchange);
    return exchange.parsedBody.errors().length > 0;
  } catch (error) {
    return error instanceof Problem;
  }
}

/** @returns true if a serialized value is read back unchanged */
export function isParameterEnforced(
  parameter: Node,
  text: SerializedParameter,
  version: string,
): boolean {
  const { definition, operation } = minimalOperation(version, { parameters: [parameter] });
  const validators = new Validators(definition, 'request');
  const parameters = new Parameters(definition, operation, validators, new Coercions(validators));
  const url = `/?${text.query ?? ''}`;
  const exchange = new Exchange({ method: 'GET', url, headers: text.headers ?? {} }, NO_BODY);
  exchange.params = text.params ?? {};
  const errors = parameters.read(exchange);
  const { name, in: where } = parameter;
  const values = where === 'querystring' ? 'query' : (where as 'path');
  const read = exchange.parameters[values][name];
  return errors.length === 0 && JSON.stringify(read) === JSON.stringify(text.value);
}

/**
 * @param responses of a minimal operation
 * @param replies one that conforms to `responses`, then ones that violate them
 * @returns true if the first reply is sent and the others are rejected
 */
export function isReplyEnforced(
  responses: Node,
  [valid, ...invalid]: readonly HandlerReply[],
  version: string,
): boolean {
  const { definition, operation } = minimalOperation(version, { responses });
  const replies = new Replies(definition, new Validators(definition, 'response'));
  const isSent = (reply: HandlerReply) => {
    try {
      replies.serialize(operation, reply);
      return true;
    } catch {
      return false;
    }
  };
  return isSent(valid!) && !invalid.some(isSent);
}

/**
 * @param authorization header of the request, with credentials that the verifier accepts
 * @returns true if the scheme is checked and the request is refused
 */
export async function isSecurityEnforced(
  scheme: Node,
  scopes: readonly string[],
  authorization: string | undefined,
  version: string,
): Promise<boolean> {
  const { definition, operation } = minimalOperation(version, { security: [{ s: scopes }] });
  definition.document.components.securitySchemes = { s: scheme };
  const verifiers = { s: () => ({ name: 'caller' }) };
  const security = new Security(definition, { verifiers, realm: '' }, () => false);
  const exchange = new Exchange({ method: 'POST', url: '/', headers: { authorization } }, NO_BODY);
  exchange.operation = operation;
  if (security.errors.length > 0) return false;
  try {
    await security.authorize(exchange);
    return false;
  } catch (error) {
    return error instanceof Problem;
  }
}

export interface SerializedParameter {
  readonly value: unknown;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, string>;
}

function isDefaultApplied(version: string): boolean {
  const { definition } = minimalOperation(version, {}, { properties: { a: { default: 1 } } });
  const coercions = new Coercions(new Validators(definition, 'request'));
  const coerced = coercions.at('/components/schemas/S')?.({}) as Node | undefined;
  return coerced?.['a'] === 1;
}

function validatorOf(schema: Node, version: string, direction: Direction) {
  const { definition } = minimalOperation(version, {}, schema);
  return new Validators(definition, direction).at('/components/schemas/S');
}

function minimalOperation(
  version: string,
  operation: Node,
  schema: Node = {},
): { definition: Definition; operation: Operation } {
  const definition = new Definition({
    openapi: version,
    paths: { '/{p}': { post: { responses: {}, ...operation } } },
    components: {
      schemas: { S: schema, T: { type: 'integer' }, O: { type: 'object', required: ['x'] } },
    },
  });
  return { definition, operation: definition.operations[0]! };
}
