// A jest reporter: the whole run fails when an answer that openapi.yaml declares was never observed.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Definition } from '../../src/contract/definition/definition.ts';
import { handlers } from '../../src/handlers/index.ts';
import { forgetObserved, observedAnswers } from './observed.ts';

export default class CoverageGate {
  #missing: string[] = [];

  onRunStart(): void {
    forgetObserved();
  }

  onRunComplete(): void {
    const observed = observedAnswers();
    const declared = declaredAnswers();
    this.#missing = declared.filter((answer) => !observed.has(answer));
    process.stdout.write('\nDeclared answers, observed by the tests:\n');
    for (const answer of declared) {
      process.stdout.write(`  ${observed.has(answer) ? 'yes' : 'NO '}  ${answer}\n`);
    }
  }

  getLastError(): Error | undefined {
    return this.#missing.length === 0
      ? undefined
      : new Error(`declared answers that no test observed: ${this.#missing.join('; ')}`);
  }
}

/** Of operations that have a handler: `createPlant 200 application/json`, … */
function declaredAnswers(): string[] {
  const definition = new Definition(parse(readFileSync('openapi.yaml', 'utf8')));
  const implemented = definition.operations.filter(({ operationId }) => operationId in handlers);
  return implemented.flatMap(({ operationId, responses }) =>
    [...responses].flatMap(([status, { node }]) =>
      Object.keys(node.content ?? {}).map((type) => `${operationId} ${status} ${type}`),
    ),
  );
}
