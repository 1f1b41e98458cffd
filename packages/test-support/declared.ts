// The responses that a contract declares, without the engine under test: its own reading of the document,
// its own Ajv, each object schema closed.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { Answer, CheckResponse } from './http.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document's shape is data
type Node = Record<string, any>;

/** Statuses of requests that HTTP itself refuses, of any operation. */
const OF_HTTP = [408, 414, 417, 431, 501, 505];
/** Statuses before or outside of operations. */
const OUTSIDE_OPERATIONS = [204, 400, 404, 405, 412, ...OF_HTTP];

/** Called for each declared response; `type` is undefined without a body. */
export type OnDeclared = (operationId: string, status: number, type: string | undefined) => void;

/** @param path of a contract in one file, with an Error schema */
export function declaredIn(path: string, onDeclared: OnDeclared = () => {}): CheckResponse {
  const document: Node = parse(readFileSync(path, 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(closed(document), 'contract');

  const deref = (node: Node | undefined): Node | undefined => {
    const ref: string | undefined = node?.['$ref'];
    if (ref === undefined) return node;
    return ref
      .slice(2)
      .split('/')
      .reduce((at: Node, key: string) => at[key], document);
  };

  /** A path without parameters precedes a template. */
  const pathItem = (path: string): Node | undefined => {
    const template = Object.keys(document['paths']).find((each) => matches(each, path));
    return document['paths'][path] ?? (template && document['paths'][template]);
  };

  const assertBody = (schema: Node, { headers, body, isHead }: Answer): void => {
    if (headers['content-type'] !== 'application/json') {
      throw new Error(`expected application/json, got ${headers['content-type']}`);
    }
    if (isHead) return;
    const validate = ajv.compile({ $ref: `contract${schema['$ref']}` });
    if (!validate(JSON.parse(body))) {
      throw new Error(`${body} violates ${schema['$ref']}: ${ajv.errorsText(validate.errors)}`);
    }
  };

  const assertOutside = (operation: Node | undefined, answer: Answer): void => {
    const isAllowed = OUTSIDE_OPERATIONS.includes(answer.status);
    if (!isAllowed || (operation && !OF_HTTP.includes(answer.status))) {
      throw new Error(`undeclared status ${answer.status}: ${answer.body}`);
    }
    if (answer.status !== 204) assertBody({ $ref: '#/components/schemas/Error' }, answer);
  };

  return (method, path, answer) => {
    const operation: Node | undefined = pathItem(path)?.[method.toLowerCase()];
    const declared = deref(operation?.['responses'][answer.status]);
    if (declared === undefined) return assertOutside(operation, answer);
    onDeclared(operation!['operationId'], answer.status, answer.headers['content-type']);
    for (const [name, header] of Object.entries<Node>(declared['headers'] ?? {})) {
      if (deref(header)!['required'] && answer.headers[name.toLowerCase()] === undefined) {
        throw new Error(`${answer.status} without the declared header ${name}`);
      }
    }
    if (declared['content'] !== undefined) {
      assertBody(declared['content']['application/json'].schema, answer);
    } else if (answer.body !== '') {
      throw new Error(`${answer.status} with an undeclared body`);
    }
  };
}

function matches(template: string, path: string): boolean {
  const [parts, given] = [template.split('/'), path.split('/')];
  const isEach = (part: string, at: number) => part === given[at] || /^\{.+\}$/.test(part);
  return parts.length === given.length && parts.every(isEach);
}

/** A copy in which no object schema with properties takes others. */
function closed(node: unknown): Node {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node as Node;
  const copy: Node = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closed(value)]),
  );
  return copy.type === 'object' && copy.properties
    ? { ...copy, additionalProperties: false }
    : copy;
}
