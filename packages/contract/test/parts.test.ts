// The messages that carry a document to a worker thread.
import { describe, expect, it } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import {
  addPart,
  type DocumentEnd,
  type Part,
  sendDocument,
} from '../src/document/sendDocument.ts';

describe('sendDocument', () => {
  it('posts objects only: Deno turns undefined into null', async () => {
    const messages: (Part | DocumentEnd)[] = [];
    const document: Node = { info: null, paths: { '/': { get: {} } }, tags: [], components: {} };
    await sendDocument({ postMessage: (message) => messages.push(message) }, document);
    const parts = messages.filter((each): each is Part => 'keys' in each);
    expect(messages).toEqual([...parts, { isEnd: true }]);
    const copy: Node = {};
    for (const part of parts) addPart(copy, part);
    expect(copy).toEqual(document);
  });
});
