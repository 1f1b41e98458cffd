// Writes the entry of a generated package with handlers of Mock Service Worker.

import type { Contract, Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/validation';
import { createMocks, type Mocks } from '@stubwright/mock';
import { InvalidMock } from '@stubwright/mock/mocked';
import { type HttpResponse, Replies } from 'stubwright/internals';
import { freeName } from '../../types/names.ts';
import { isConverting, type ValueTypes } from '../../types/valueTypes.ts';
import { expressionOf, propertyName, stringLiteral } from '../code.ts';
import {
  type ClientOperation,
  operationType,
  summaryOf,
  typeImport,
  wrappersOf,
} from '../declarations.ts';
import { serverSpec } from '../servers.ts';

/** The other names of the module. */
const RESERVED = ['handlers', 'handlersAt', 'http', 'service', 'HttpHandler'];

/** @returns msw.js and msw.d.ts */
export async function mswFiles(
  definition: Contract,
  operations: readonly ClientOperation[],
  types: ValueTypes,
): Promise<ReadonlyMap<string, string>> {
  const replies = await MockedReplies.of(definition);
  const taken = new Set([...RESERVED, ...operations.map(({ name }) => name)]);
  const names = new Map(
    operations.map(({ name }) => [name, RESERVED.includes(name) ? freeName(name, taken) : name]),
  );
  const sorted = [...operations].sort(bySpecificity);
  const specs: object[] = [];
  for (const { operation } of sorted) specs.push(await specOf(operation, replies));
  const urls = definition.servers.servers.map(({ url }) => url);
  const spec = { servers: urls.length > 0 ? urls : ['/'], operations: specs };
  const js = operations.map(({ name, operation: { operationId } }) => {
    const member = propertyName(operationId);
    const path = member === operationId ? `.${member}` : `[${stringLiteral(operationId)}]`;
    return `export const ${names.get(name)} = service.operations${path};\n`;
  });
  const isTyped = isConverting(types);
  const imports = isTyped ? "import * as functions from './index.js';\n" : '';
  const writer = isTyped ? ', api.replyWriter(functions)' : '';
  return new Map([
    [
      'msw.js',
      `import * as api from '@stubwright/client/msw';\nimport { http } from 'msw';\n${imports}\nconst service = api.mockedService(http, ${expressionOf(spec)}${writer});\n\n${js.join('')}\nexport const handlersAt = service.handlersAt;\nexport const handlers = service.handlersAt();\n`,
    ],
    ['msw.d.ts', declarationsOf(operations, names)],
  ]);
}

function declarationsOf(
  operations: readonly ClientOperation[],
  names: ReadonlyMap<string, string>,
): string {
  const types = operations.map((operation) => {
    return `${summaryOf(operation)}export declare const ${names.get(operation.name)}: api.MockedOperation<${operationType(operation)}, HttpHandler>;\n`;
  });
  return [
    typeImport(wrappersOf(operations)),
    "import type * as api from '@stubwright/client/msw';\n",
    "import type { HttpHandler } from 'msw';\n",
    operations.length === 0 ? '' : "import type { operations } from './contract.js';\n",
    '\n',
    ...types,
    '\n/** A handler for each operation, on the servers of the contract. */\n',
    'export declare const handlers: HttpHandler[];\n\n',
    '/** A handler for each operation, on another server. */\n',
    'export declare function handlersAt(baseUrl: string): HttpHandler[];\n',
  ].join('');
}

async function specOf(operation: Operation, replies: MockedReplies): Promise<object> {
  const { operationId: id, method, path, servers } = operation;
  const texts = await replies.of(operation);
  const own = servers === undefined || serverSpec(servers) === undefined ? undefined : servers;
  return {
    id,
    method: method.toUpperCase(),
    path,
    servers: own?.servers.map(({ url }) => url),
    status: replies.mocks.statusOf(operation),
    replies: Object.fromEntries(texts),
  };
}

/** `/toys/mine` before `/toys/{id}`, `/toys/{id}.json` before that too. */
function bySpecificity(one: ClientOperation, other: ClientOperation): number {
  const [own, others] = [one, other].map(({ operation }) => operation.path.split('/'));
  const length = Math.min(own!.length, others!.length);
  for (let at = 0; at < length; at++) {
    const difference = specificity(others![at]!) - specificity(own![at]!);
    if (difference !== 0) return difference;
  }
  return own!.length - others!.length;
}

function specificity(segment: string): number {
  if (!segment.includes('{')) return Number.MAX_SAFE_INTEGER;
  return segment.replace(/\{[^{}]*\}/g, '').length;
}

interface MockedText {
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: string | undefined;
}

/** Of ranges and `default`. */
const STATUSES = [500, 400, 300, 200].flatMap((first) =>
  Array.from({ length: 100 }, (_, at) => first + at),
);

class MockedReplies {
  readonly mocks: Mocks;
  readonly #replies: Replies;

  private constructor(mocks: Mocks, replies: Replies) {
    this.mocks = mocks;
    this.#replies = replies;
  }

  static async of(definition: Contract): Promise<MockedReplies> {
    const validators = new Validators(definition, 'response');
    const mocks = await createMocks(definition, validators);
    const options = { validation: 'log', keepAliveMs: 0 } as const;
    return new MockedReplies(mocks, new Replies(definition, validators, options));
  }

  /** @returns the replies by status code, range or `default` */
  async of(operation: Operation): Promise<ReadonlyMap<string, MockedText>> {
    const found = new Map<string, MockedText>();
    const statuses = [this.mocks.statusOf(operation), ...STATUSES];
    for (const key of operation.responses.keys()) {
      const status = statuses.find((status) => operation.responses.keyFor(status) === key);
      if (status === undefined) continue;
      const mock = await this.mocks.replyWith(operation, status);
      const { headers, body } =
        mock instanceof InvalidMock
          ? mock.toHttpResponse()
          : this.#replies.of(operation).serialize(mock);
      found.set(key.replace('xx', 'XX'), withFixedBoundary(headers, await textOf(body)));
    }
    return found;
  }
}

async function textOf(body: HttpResponse['body']): Promise<string | undefined> {
  if (body === undefined || typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  return Buffer.concat(await body.toArray()).toString();
}

/** Random ones would differ each time. */
function withFixedBoundary(
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): MockedText {
  const { 'Content-Type': type } = headers;
  const [, boundary] = /;\s*boundary="?([^";]+)/.exec(type ?? '') ?? [];
  const fixed = (text: string) =>
    boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
  const entries = Object.entries(headers).map(([name, value]) => [name, fixed(value)]);
  return {
    headers: entries.length === 0 ? undefined : Object.fromEntries(entries),
    body: body && fixed(body),
  };
}
