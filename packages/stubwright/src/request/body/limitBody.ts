// Limits the size of a body that is streamed.
import { Transform } from 'node:stream';
import { contentTooLarge } from '../../errors/problem.ts';

/** @returns a stream that fails with {Problem} 41300 after `limitBytes` */
export function limitBody(limitBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      bytes += chunk.length;
      if (bytes > limitBytes) pass(contentTooLarge(limitBytes));
      else pass(null, chunk);
    },
  });
}
