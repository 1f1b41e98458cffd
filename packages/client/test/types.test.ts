// The types of replies, compared by the compiler.
import { expect, it } from '@jest/globals';
import type { HeadOf, ReplyFor } from '../src/index.ts';

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
