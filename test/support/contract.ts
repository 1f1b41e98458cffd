// What the contract allows as an answer, judged apart from the engine under test: its own reading of
// openapi.yaml, its own Ajv, every object closed, so that an undeclared field fails.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { Answer } from './http.ts';
import { recordObserved, WITHOUT_BODY } from './observed.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document's shape is data
type Node = Record<string, any>;

const document: Node = parse(readFileSync('openapi.yaml', 'utf8'));
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(closed(document), 'contract');

/** Statuses of requests that HTTP itself refuses, whatever their operation. */
const OF_HTTP = [408, 414, 417, 431, 501, 505];
/** Statuses that HTTP itself gives, before or outside any operation. */
const OUTSIDE_OPERATIONS = [204, 400, 404, 405, 412, ...OF_HTTP];

/** Throws where an answer is not what openapi.yaml declares for the request. */
export function assertDeclared(method: string, path: string, answer: Answer): void {
  const operation: Node | undefined = pathItem(path)?.[method.toLowerCase()];
  const declared = deref(operation?.responses[answer.status]);
  if (declared !== undefined) {
    const type = answer.headers['content-type'] ?? WITHOUT_BODY;
    recordObserved(`${operation!.operationId} ${answer.status} ${type}`);
  }
  if (declared === undefined) {
    assertOutside(operation, answer);
    return;
  }
  for (const [name, header] of Object.entries<Node>(declared.headers ?? {})) {
    if (deref(header)!.required && answer.headers[name.toLowerCase()] === undefined) {
      throw new Error(`${answer.status} without the declared header ${name}`);
    }
  }
  if (declared.content !== undefined) {
    assertBody(declared.content['application/json'].schema, answer);
  } else if (answer.body !== '') {
    throw new Error(`${answer.status} with an undeclared body`);
  }
}

/** A path without parameters comes before one that a template takes. */
function pathItem(path: string): Node | undefined {
  const template = Object.keys(document.paths).find((each) => isTaken(each, path));
  return document.paths[path] ?? (template && document.paths[template]);
}

function isTaken(template: string, path: string): boolean {
  const [parts, given] = [template.split('/'), path.split('/')];
  const isEach = (part: string, at: number) => part === given[at] || /^\{.+\}$/.test(part);
  return parts.length === given.length && parts.every(isEach);
}

function assertOutside(operation: Node | undefined, answer: Answer): void {
  const isAllowed = OUTSIDE_OPERATIONS.includes(answer.status);
  if (!isAllowed || (operation && !OF_HTTP.includes(answer.status))) {
    throw new Error(`undeclared status ${answer.status}: ${answer.body}`);
  }
  if (answer.status !== 204) assertBody({ $ref: '#/components/schemas/Error' }, answer);
}

function assertBody(schema: Node, { headers, body, isHead }: Answer): void {
  if (headers['content-type'] !== 'application/json') {
    throw new Error(`expected application/json, got ${headers['content-type']}`);
  }
  if (isHead) return;
  const validate = ajv.compile({ $ref: `contract${schema['$ref']}` });
  if (!validate(JSON.parse(body))) {
    throw new Error(`${body} breaks ${schema['$ref']}: ${ajv.errorsText(validate.errors)}`);
  }
}

function deref(node: Node | undefined): Node | undefined {
  if (node?.['$ref'] === undefined) return node;
  const ref: string = node['$ref'];
  return ref
    .slice(2)
    .split('/')
    .reduce((at: Node, key: string) => at[key], document) as Node;
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
