// Streams of typed events: cancelled by the client that asked, and followed again after a lost connection.
import { createApi, type HandlersOf, Problem } from 'stubwright';
import { Answer } from './answer.ts';
import type { operations } from './generated/contract.ts';

const answers = new Map<bigint, Answer>();
const FIRST_ID = 9007199254740993n;

const handlers: HandlersOf<operations, undefined> = {
  ask({ body: { text }, signal }) {
    const answer = new Answer(FIRST_ID + BigInt(answers.size), text);
    answers.set(answer.id, answer);
    signal.addEventListener('abort', () => answer.cancel());
    return { status: 200, body: answer.events(0) };
  },
  follow({ path: { id }, lastEventId }) {
    const answer = answers.get(id);
    if (answer === undefined) throw new Problem(404, `no answer has the id ${id}`);
    return { status: 200, body: answer.events(lastEventId ? Number(lastEventId) + 1 : 0) };
  },
};

export const api = await createApi({ contract: 'generated/contract.json', handlers });
