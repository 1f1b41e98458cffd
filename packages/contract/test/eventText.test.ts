// Events are yielded as soon as their end has arrived.
import { expect, it } from '@jest/globals';
import { eventsOf } from '../src/media/sequences.ts';

it.each([
  [['data: a\n', '\n']],
  [['data: a\n\r', 'd']],
  [['data: a\r\n\r', '\n']],
  [['data: a\r', '\r', ':']],
  [['\ufeffdata: a\n\n']],
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

it.each(['data: é\n\n', '\ufeffdata: é\n\n'])(
  '%j is an event in chunks of one byte',
  async (text) => {
    async function* bytes() {
      for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
    }
    const events = eventsOf(bytes());
    expect(await events.next()).toEqual({ done: false, value: { data: 'é' } });
    expect((await events.next()).done).toBe(true);
  },
);
