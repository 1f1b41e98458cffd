// The declared responses that tests observed, in all processes of the test runner, and those that they did not.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '@stubwright/contract';

/** The folder of the record, relative to the folder of the project. */
export const OBSERVED = 'build/observed';
const seen = new Set<string>();

/** @returns the name of a response: `getToy 200 application/json`, `getToy 204 without a body` */
function responseName(operationId: string, status: string | number, type?: string): string {
  return `${operationId} ${status} ${type ?? 'without a body'}`;
}

/**
 * Records a response that a test received. Called by the test client for each declared response.
 *
 * @param status as the contract declares it: `200`, `4XX` or `default`
 * @param type the media type as the contract declares it; undefined without a body
 */
export function recordObserved(operationId: string, status: string | number, type?: string): void {
  const name = responseName(operationId, status, type);
  if (seen.has(name)) return;
  seen.add(name);
  mkdirSync(OBSERVED, { recursive: true });
  appendFileSync(`${OBSERVED}/${process.pid}`, `${name}\n`);
}

/**
 * Removes the files of a record, and the folder if it holds no others.
 *
 * @param folder by default that of recordObserved
 */
export function forgetObserved(folder = OBSERVED): void {
  if (!existsSync(folder)) return;
  for (const file of recordFiles(folder)) rmSync(file, { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function recordFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^\d+$/.test(entry.name))
    .map(({ name }) => join(folder, name));
}

/** A response without a body, as the test client writes it: `getToy 204`. */
const WITHOUT_TYPE = /^(.*) (\d\d\d|\dXX|default)$/i;

/** @returns the names of the recorded responses; undefined without a record */
export function observedResponses(folder = OBSERVED): Set<string> | undefined {
  if (!existsSync(folder)) return undefined;
  const lines = recordFiles(folder).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return new Set(
    lines.map((line) => {
      const [, operationId, status] = WITHOUT_TYPE.exec(line) ?? [];
      return operationId === undefined ? line : responseName(operationId, status!);
    }),
  );
}

export const HANDLER_INDEX = 'src/handlers/index.ts';

/** @param path of a module that exports `handlers`; without the file every operation counts */
export async function implementedIn(path: string): Promise<(operationId: string) => boolean> {
  if (!existsSync(path)) return () => true;
  const { handlers } = await import(pathToFileURL(resolve(path)).href);
  // A mocked operation has a symbol.
  return (operationId) => typeof handlers[operationId] === 'function';
}

export interface DeclaredResponse {
  /** `getToy 200 application/json`. */
  readonly name: string;
  /** `shared`: observed of another operation, which declares the same response by `$ref`. */
  readonly state: 'observed' | 'shared' | 'missing';
  /** Of a shared response, the one that was observed. */
  readonly reason?: string;
  readonly pointer: string;
}

/** @returns the declared responses; one that operations share by `$ref` is required of one of them */
export function coverageOf(
  definition: Contract,
  observed: ReadonlySet<string>,
  isImplemented: (operationId: string) => boolean = () => true,
): DeclaredResponse[] {
  const declared = declaredResponses(definition, isImplemented);
  const seen = declared.filter(({ name }) => observed.has(name));
  const byKey = new Map(seen.map(({ key, name }) => [key, name]));
  return declared.map(({ name, key, pointer }): DeclaredResponse => {
    if (observed.has(name)) return { name, state: 'observed', pointer };
    const other = byKey.get(key);
    if (other !== undefined) return { name, state: 'shared', reason: other, pointer };
    return { name, state: 'missing', pointer };
  });
}

interface Declared {
  readonly name: string;
  readonly pointer: string;
  readonly key: string;
}

const MARKS: Record<DeclaredResponse['state'], string> = {
  observed: 'yes   ',
  shared: 'shared',
  missing: 'NO    ',
};

export function coverageTable(responses: readonly DeclaredResponse[]): string {
  const rows = responses.map(({ state, name, reason }) => {
    return `  ${MARKS[state]}  ${name}${reason === undefined ? '' : `: ${reason}`}`;
  });
  return ['', 'Declared responses, observed by the tests:', ...rows, ''].join('\n');
}

function declaredResponses(
  { operations }: Contract,
  isImplemented: (operationId: string) => boolean,
): Declared[] {
  return operations
    .filter(({ operationId }) => isImplemented(operationId))
    .flatMap(({ operationId, responses }) =>
      [...responses].flatMap(([status, { contents, pointer }]) => {
        const types = contents.keys;
        return (types.length === 0 ? [undefined] : types).map((type) => {
          return {
            name: responseName(operationId, status, type),
            pointer,
            key: `${pointer} ${type}`,
          };
        });
      }),
    );
}
