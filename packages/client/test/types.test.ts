// The types of replies, compared by the compiler.
import { expect, it } from '@jest/globals';
import {
  type Connection,
  type HeadOf,
  isErrorOf,
  type OperationFunction,
  type ReplyFor,
  unwrap,
} from '../src/index.ts';

type Equal<One, Other> =
  (<Each>() => Each extends One ? 1 : 2) extends <Each>() => Each extends Other ? 1 : 2
    ? true
    : false;

interface Responses<Content> {
  responses: { 200: { headers: Record<never, never>; content: Content } };
}
type BodyOf<Content> = ReplyFor<Responses<Content>>['body'];
type Toy = { id: bigint };

it('has the type of the schema for a range, and bytes for a file', () => {
  const isEqual: [
    Equal<BodyOf<{ '*/*': Toy }>, Toy>,
    Equal<BodyOf<{ 'application/*': Toy[] }>, Toy[]>,
    Equal<BodyOf<{ '*/*': string }>, string>,
    Equal<BodyOf<{ '*/*': unknown }>, unknown>,
    Equal<BodyOf<{ '*/*': Blob }>, Uint8Array>,
    Equal<BodyOf<{ '*/*': Blob | Toy }>, Uint8Array | Toy>,
    Equal<BodyOf<{ 'image/*': Blob }>, Uint8Array>,
  ] = [true, true, true, true, true, true, true];
  expect(isEqual).not.toContain(false);
});

interface Empty {
  responses: {
    200: { headers: { 'X-Total': bigint }; content: { 'application/json': Toy } };
    204: { headers: Record<never, never>; content: { 'application/json': Toy } };
    304: { headers: Record<never, never>; content: { 'application/json': Toy } };
  };
}
type Body<Operation, Status> = Extract<ReplyFor<Operation>, { status: Status }>['body'];

it('has no body for a status without one, and for HEAD', () => {
  const isEqual: [
    Equal<Body<Empty, 200>, Toy>,
    Equal<Body<Empty, 204>, undefined>,
    Equal<Body<Empty, 304>, undefined>,
    Equal<Body<HeadOf<Empty>, 200>, undefined>,
    Equal<Extract<ReplyFor<HeadOf<Empty>>, { status: 200 }>['headers']['X-Total'], bigint>,
  ] = [true, true, true, true, true];
  expect(isEqual).not.toContain(false);
});

interface Photos {
  parameters: { path: { id: bigint } };
  responses: {
    200: { headers: Record<never, never>; content: { 'image/png': Blob } };
    default: { headers: Record<never, never>; content: { 'application/json': Toy } };
  };
}
declare const getPhoto: OperationFunction<Photos>;
declare const connection: Connection;

it('has a stream of a success where a call asks for it, and bytes elsewhere', () => {
  const plain = () => getPhoto(connection, { path: { id: 1n } }, { timeoutMs: 1 });
  const streamed = () => getPhoto(connection, { path: { id: 1n } }, { as: 'stream' });
  const unwrapped = () => unwrap(getPhoto(connection, { path: { id: 1n } }, { as: 'stream' }));
  const narrowed = (error: unknown) => isErrorOf(getPhoto, error) && error.reply.body;
  // @ts-expect-error for a misspelled option
  const misspelled = () => getPhoto(connection, { path: { id: 1n } }, { timeoutMS: 1 });
  // @ts-expect-error for text instead of a number
  const textual = () => getPhoto(connection, { path: { id: 1n } }, { reconnect: { limit: '3' } });
  type Plain = Awaited<ReturnType<typeof plain>>;
  type Streamed = Awaited<ReturnType<typeof streamed>>;
  const isEqual: [
    Equal<Plain, ReplyFor<Photos>>,
    Equal<Awaited<ReturnType<typeof getPhoto>>, ReplyFor<Photos>>,
    Equal<Extract<Plain, { status: 200 }>['body'], Uint8Array>,
    Equal<Extract<Streamed, { status: 200 }>['body'], ReadableStream<Uint8Array>>,
    Equal<Extract<Streamed, { readonly body: Toy }>['body'], Toy>,
    Equal<Awaited<ReturnType<typeof unwrapped>>, ReadableStream<Uint8Array>>,
    Equal<ReturnType<typeof narrowed>, false | Toy>,
  ] = [true, true, true, true, true, true, true];
  expect([isEqual, misspelled, textual]).toHaveLength(3);
});
