// Limits the size of a body that is streamed.

import { Transform } from 'node:stream';
import { contentTooLarge } from '@stubwright/contract';
import type { BodyAllocation } from '@stubwright/contract/values';

/**
 * @param allocation counts the body; by default it is not counted
 * @returns a stream that fails with {Problem} 41300 after `limitBytes`, and 50300 without memory
 */
export function limitBody(limitBytes: number, allocation?: BodyAllocation): Transform {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limitBytes) throw contentTooLarge(limitBytes);
    allocation?.addChunk(chunk);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      try {
        count(chunk);
        pass(null, chunk);
      } catch (error) {
        pass(error as Error);
      }
    },
  });
}
