// A jest reporter: the whole run fails when an answer that openapi.yaml declares was never observed.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Definition } from '../../packages/stubwright/src/document/definition.ts';
import { handlers } from '../../src/handlers/index.ts';
import { forgetObserved, observedAnswers, WITHOUT_BODY } from './observed.ts';

export default class CoverageGate {
  #missing: string[] = [];

  onRunStart(): void {
    forgetObserved();
  }

  onRunComplete(): void {
    const observed = observedAnswers();
    const declared = declaredAnswers();
    const seen = new Set(declared.filter(({ name }) => observed.has(name)).map(({ key }) => key));
    this.#missing = declared.filter(({ key }) => !seen.has(key)).map(({ name }) => name);
    process.stdout.write('\nDeclared answers, observed by the tests:\n');
    for (const { name, key } of declared) {
      process.stdout.write(`  ${seen.has(key) ? 'yes' : 'NO '}  ${name}\n`);
    }
  }

  getLastError(): Error | undefined {
    return this.#missing.length === 0
      ? undefined
      : new Error(`declared answers that no test observed: ${this.#missing.join('; ')}`);
  }
}

interface Declared {
  /** `createPlant 200 application/json`. */
  readonly name: string;
  /** Where it is declared: operations that share it by `$ref` need not each be tested for it. */
  readonly key: string;
}

/** Of operations that have a handler. */
function declaredAnswers(): Declared[] {
  const definition = new Definition(parse(readFileSync('openapi.yaml', 'utf8')));
  const implemented = definition.operations.filter(({ operationId }) => operationId in handlers);
  return implemented.flatMap(({ operationId, responses }) =>
    [...responses].flatMap(([status, { node, pointer }]) =>
      Object.keys(node.content ?? { [WITHOUT_BODY]: {} }).map((type) => {
        return { name: `${operationId} ${status} ${type}`, key: `${pointer} ${type}` };
      }),
    ),
  );
}
