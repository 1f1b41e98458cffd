// The contracts of the examples of rules, and what the diff reports about them.
import { Contract, type ContractError, type Node } from '@stubwright/contract';
import { changesBetween } from '../src/contract/changes.ts';
import { canonical } from '../src/values/formatting.ts';
import { nodeOf } from './toyContract.ts';

const INFO = { title: 'Toys', version: '1' };
const OK = { 200: {} };
const SCHEMES = {
  one: { type: 'apiKey', in: 'header', name: 'One' },
  two: { type: 'apiKey', in: 'header', name: 'Two' },
};

export function ofDocument(text: string): Node {
  return { openapi: '3.1.0', info: INFO, paths: {}, ...nodeOf(text) };
}

export function ofOperation(text: string): Node {
  const post = { responses: OK, ...nodeOf(text) };
  const components = { securitySchemes: SCHEMES };
  return { openapi: '3.1.0', info: INFO, paths: { '/toys': { post } }, components };
}

export function ofSchema(text: string, direction: 'request' | 'response'): Node {
  const content = { 'application/json': { schema: nodeOf(text) } };
  const post = direction === 'request' ? { requestBody: { content } } : {};
  const responses = direction === 'request' ? OK : { 200: { content } };
  const components = { schemas: { Toy: {}, Game: { minProperties: 1 } } };
  const paths = { '/toys': { post: { ...post, responses } } };
  return { openapi: '3.1.0', info: INFO, paths, components };
}

/** An operation with the reference `#/none` has an error. */
function errorsIn({ paths = {} }: Node): ContractError[] {
  const operations = Object.entries<Node>(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      canonical(operation).includes('"#/none"') ? [`${method} ${path}`] : [],
    ),
  );
  const message = '$ref cannot be resolved: #/none';
  return [{ message, position: undefined, operations, isMockable: false }];
}

export function contractFrom(document: Node): Contract {
  return new Contract(document, errorsIn(document));
}

/** @returns the rules and severities of the changes */
export function reported(before: Node, after: Node): readonly string[] {
  const [was, is] = [before, after].map((each) => ({ definition: contractFrom(each) }));
  const changes = changesBetween(was!, is!);
  return [...new Set(changes.map(({ rule, severity }) => `${rule} ${severity}`))];
}
