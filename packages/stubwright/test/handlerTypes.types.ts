// What must not compile, checked by tsc: each expectation below fails the type check when it holds
// no error. Nothing here runs.

import { handlers, type ToyServices } from '@stubwright/test-support/toyService';
import type { operations } from '@stubwright/test-support/toyTypes';
import type { HandlersOf, ReplyOf, RequestOf } from '../src/index.ts';

type Handlers<Services> = HandlersOf<operations, Services>;
type Request<Id extends keyof operations> = RequestOf<operations[Id]>;
type Reply<Id extends keyof operations> = ReplyOf<operations[Id]>;

export const complete: Handlers<ToyServices> = handlers;

// @ts-expect-error missing handlers
export const missing: Handlers<ToyServices> = {};

// @ts-expect-error a handler for an operation that the contract lacks
export const unknown: Handlers<ToyServices> = { ...handlers, washToy: handlers.storeToy };

// @ts-expect-error an undeclared status
export const undeclaredStatus: Reply<'storeToy'> = { status: 201, body: { name: 'x' } };

// @ts-expect-error a body of the wrong shape
export const wrongBody: Reply<'storeToy'> = { status: 200, body: { name: 1 } };

// @ts-expect-error the body of another status
export const otherBody: Reply<'storeToy'> = { status: 409, body: { name: 'x' } };

// @ts-expect-error a declared header is missing
export const noHeader: Reply<'storeToy'> = { status: 503, body: { error: 1, message: '' } };

export const withHeader: Reply<'storeToy'> = {
  status: 503,
  headers: { 'Retry-After': 1 },
  body: { error: 50300, message: '' },
};

export const idIsBigint = ({ body }: Request<'storeToy'>): bigint => body.id;

// @ts-expect-error an int64 is no number
export const idIsNoNumber = ({ body }: Request<'storeToy'>): number => body.id;

export type AnyContract = HandlersOf<{ ping: { responses: { 204: { content?: never } } } }, null>;
export const ping: AnyContract = { ping: () => ({ status: 204 }) };

interface Upload {
  requestBody: { content: { 'application/octet-stream': string; 'application/json': { n: 1 } } };
  responses: { 200: { content: { 'image/png': string } } };
}
export const upload: HandlersOf<{ upload: Upload }, null> = {
  upload: ({ body }) => ({
    status: 200,
    body: 'getReader' in body ? body : Buffer.from(JSON.stringify(body.n)),
  }),
};

interface Xml {
  requestBody: { content: { 'application/xml': { n: 1 } } };
  responses: { 200: { content: { 'application/xml': { n: 1 } } } };
}
export const xml: HandlersOf<{ xml: Xml }, null> = { xml: ({ body }) => ({ status: 200, body }) };

export const xmlBytes: HandlersOf<{ xml: Xml }, null> = {
  // @ts-expect-error XML of an object is that object
  xml: () => ({ status: 200, body: Buffer.from('<n>1</n>') }),
};

interface XmlText {
  requestBody: { content: { 'application/xml': string } };
  responses: { 200: { content: { 'application/xml': string } } };
}
export const xmlText: HandlersOf<{ xml: XmlText }, null> = {
  xml: ({ body }) => ({ status: 200, body: body.locked ? '<n/>' : body }),
};

interface Conditional {
  parameters: { header: { 'if-match'?: string } };
  responses: {
    200: { headers: { ETag: string; Size: number }; content: { 'application/json': 1 } };
    412: { headers: { ETag: string }; content?: never };
  };
}
type ConditionalReply = ReplyOf<Conditional>;
export const checked = ({ preconditions }: RequestOf<Conditional>): void => preconditions.check(1n);
export const computedTag: ConditionalReply = { status: 200, headers: { Size: 1 }, body: 1 };
export const givenTag: ConditionalReply = {
  status: 200,
  headers: { Size: 1, ETag: '"1"' },
  body: 1,
};
// @ts-expect-error another header is required
export const noSize: ConditionalReply = { status: 200, headers: { ETag: '"1"' }, body: 1 };
// @ts-expect-error the tag of an error is not computed
export const noTag: ConditionalReply = { status: 412 };
export const unconditional = ({ preconditions }: Request<'storeToy'>): undefined => preconditions;
