// Events are yielded as soon as their end has arrived.
import { expect, it } from '@jest/globals';
import { eventsOf } from '../src/media/sequences.ts';

it.each([
  [['data: a\n', '\n']],
  [['data: a\n\r', 'd']],
  [['data: a\r\n\r', '\n']],
  [['data: a\r', '\r', ':']],
])('%j are an event', async (chunks) => {
  const { promise: more, resolve: end } = Promise.withResolvers<void>();
  async function* body() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    await more;
  }
  const events = eventsOf(body());
  expect(await events.next()).toEqual({ done: false, value: { data: 'a' } });
  end();
});
