// An answer that grows word by word: here the question in reverse, elsewhere the words of a model.
import { setTimeout as sleep } from 'node:timers/promises';

const WORD_MS = 50;

export class Answer {
  readonly id: bigint;
  readonly #words: string[] = [];
  #end: 'complete' | 'cancelled' | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(id: bigint, question: string) {
    this.id = id;
    void this.#write(question.split(' ').reverse());
  }

  cancel(): void {
    this.#end ??= 'cancelled';
    this.#notify();
  }

  /** @param from the number of the first word */
  async *events(from: number) {
    for (let at = from; ; at++) {
      while (at >= this.#words.length && this.#end === undefined) await this.#changed.promise;
      const text = this.#words[at];
      if (text === undefined) break;
      yield { event: 'delta' as const, id: String(at), data: { answer: this.id, text } };
    }
    yield { event: 'done' as const, data: this.#end ?? 'complete' };
  }

  async #write(words: readonly string[]): Promise<void> {
    for (const word of words) {
      await sleep(WORD_MS);
      if (this.#end !== undefined) return;
      this.#words.push(word);
      this.#notify();
    }
    this.#end = 'complete';
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
