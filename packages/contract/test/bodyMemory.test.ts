// The memory of request bodies is counted by each body, and released once.
import { expect, it } from '@jest/globals';
import { BodyAllocation, BodyMemory, CHUNK_OVERHEAD_BYTES } from '../src/media/bodySource.ts';

it('of a body is released once', () => {
  const memory = new BodyMemory(10);
  const [one, other] = [new BodyAllocation(memory), new BodyAllocation(memory)];
  one.add(10);
  expect(() => other.add(1)).toThrow('too many request bodies in memory, try again');
  other.release();
  one.release();
  one.release();
  one.release();
  one.add(10);
  expect(memory.isExceeded).toBe(false);
  expect(() => other.add(1)).toThrow('too many request bodies in memory');
});

it('of an exempt body counts for others only', () => {
  const memory = new BodyMemory(CHUNK_OVERHEAD_BYTES);
  const exempt = new BodyAllocation(memory, { isExempt: true });
  exempt.addChunk(Buffer.alloc(1));
  expect(memory.isExceeded).toBe(true);
  expect(() => new BodyAllocation(memory).add(0)).toThrow('too many request bodies in memory');
});
