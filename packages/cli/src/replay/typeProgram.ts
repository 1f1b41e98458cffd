// A program that uses the types of a release, compiled with the types of the current contract.
import { isJsonMediaType, type Operation, propertiesOf } from '@stubwright/contract';
import { type Change, changesBetween, partOf } from '@stubwright/diff';
import {
  type Conversation,
  messageOf,
  type ReleasedRequest,
  receivedRequest,
} from '@stubwright/traffic';
import { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { NamedContract } from '../check/contracts.ts';
import { transformDocument } from '../types/transform.ts';
import type { TypeFailure } from './results.ts';

interface Replayed {
  readonly recorded: readonly Conversation[];
  readonly released: NamedContract;
  readonly current: NamedContract;
}

/** One line of the program. */
interface Use {
  readonly operation: Operation;
  readonly part: 'request' | 'response';
  readonly text: string;
  readonly code: string;
  /** The property that it reads. */
  readonly name?: string;
}

export function typeFailures(
  release: string,
  { recorded, released, current }: Replayed,
): TypeFailure[] {
  const uses = usesOf(recorded, released);
  const [before, after] = [typesOf(released), typesOf(current)];
  // Equal types have equal errors.
  if (before === after || uses.length === 0) return [];
  const known = errorsIn(before, uses);
  const errors = [...errorsIn(after, uses)].filter(([line]) => !known.has(line));
  if (errors.length === 0) return [];
  const changes = changesBetween(released, current);
  return errors.map(([line, message]) => {
    const use = uses[line]!;
    const { operationId } = use.operation;
    const cause = causeOf(use, message, changes);
    return {
      ...{ release, operationId, use: use.text, message, change: cause?.text },
      position: cause && current.locations.position(cause.change.after),
    };
  });
}

function typesOf({ definition }: NamedContract): string {
  return astToString(transformDocument(definition.document));
}

function usesOf(recorded: readonly Conversation[], { definition }: NamedContract): Use[] {
  const uses = new Map<string, Use>();
  const accepted = recorded
    .flatMap(({ requests }) => requests)
    .filter(({ status, isUntyped }) => status < 300 && !isUntyped);
  for (const request of accepted) {
    const { operationId, status } = request;
    const operation = definition.operations.find((each) => each.operationId === operationId);
    if (operation === undefined) continue;
    const found = [...sent(request, operation), ...read(operation, String(status))];
    for (const use of found) uses.set(use.code, use);
  }
  return [...uses.values()];
}

function sent(request: ReleasedRequest, operation: Operation): Use[] {
  const { path, method } = operation;
  const type = `paths[${JSON.stringify(path)}][${JSON.stringify(method)}]`;
  const use = (text: string, code: string): Use => ({ operation, part: 'request', text, code });
  const calls = use('calls it', `(call: ${type}) => call;`);
  const params =
    request.params === undefined
      ? []
      : [
          use(
            'sends path parameters',
            `((path: ${type}['parameters']['path']) => path)(${JSON.stringify(request.params.path)});`,
          ),
        ];
  const message = messageOf(request);
  const { body } = message;
  const { headers } = receivedRequest(message);
  const { key, sent } = operation.request.select(headers['content-type']) ?? {};
  if (key === undefined || body === undefined || !isJsonMediaType(sent!.type)) {
    return [calls, ...params];
  }
  const content = `NonNullable<${type}['requestBody']>['content'][${JSON.stringify(key)}]`;
  return [calls, ...params, use('sends a body', `((body: ${content}) => body)(${body});`)];
}

/** JSON is TypeScript, on one line: a string may contain U+2028, which ends a line of TypeScript. */
function lineOf(code: string): string {
  return code.replace(/[\r\n\u2028\u2029]/g, (end) => LINE_ENDS[end] ?? ' ');
}

const LINE_ENDS: Readonly<Record<string, string>> = { '\u2028': '\\u2028', '\u2029': '\\u2029' };

function read(operation: Operation, status: string): Use[] {
  const { path, method, responses } = operation;
  const entries = responses.get(status)?.contents.entries ?? [];
  const found = entries.find((each) => isJsonMediaType(each.key));
  if (found === undefined) return [];
  const { key, content: declared } = found;
  const content = `paths[${JSON.stringify(path)}][${JSON.stringify(method)}]['responses'][${status}]['content'][${JSON.stringify(key)}]`;
  return [...propertiesOf(declared.schema).keys()].map((name) => ({
    ...{ operation, part: 'response', name },
    text: `reads ${JSON.stringify(name)} of the response ${status}`,
    code: `(data: ${content}) => data[${JSON.stringify(name)}];`,
  }));
}

/** Instead of the library of TypeScript, most of whose time is spent on types that no contract has. */
const LIBRARY = `
interface Array<T> { [index: number]: T; length: number; }
interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
interface NewableFunction {} interface Number {} interface Object {} interface RegExp {}
interface String {} interface Blob {}
type Record<K extends keyof any, T> = { [P in K]: T };
type Partial<T> = { [P in keyof T]?: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type NonNullable<T> = T & {};
`;
const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, noLib: true, types: [], noResolve: true },
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
};

/** @returns the first error of each line of the program, by index of its use */
function errorsIn(types: string, uses: readonly Use[]): Map<number, string> {
  // Types without imports are a part of the program.
  const head = `${types}\n`;
  const files = new Map([
    ['/library.d.ts', LIBRARY],
    ['/program.ts', head + uses.map(({ code }) => lineOf(code)).join('\n')],
  ]);
  const sources = new Map(
    [...files].map(([name, text]) => [
      name,
      ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true),
    ]),
  );
  const host: ts.CompilerHost = {
    getSourceFile: (name) => sources.get(name),
    getDefaultLibFileName: () => '/library.d.ts',
    writeFile() {},
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => files.has(name),
    readFile: (name) => files.get(name),
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  const source = sources.get('/program.ts')!;
  const first = source.getLineAndCharacterOfPosition(head.length).line;
  const errors = new Map<number, string>();
  const found = [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  for (const { start = 0, messageText } of found) {
    const line = source.getLineAndCharacterOfPosition(start).line - first;
    if (line >= 0 && !errors.has(line)) {
      errors.set(
        line,
        ts.flattenDiagnosticMessageText(messageText, '\n').split('\n').at(-1)!.trim(),
      );
    }
  }
  return errors;
}

function causeOf(
  { operation: { method, path }, part, name }: Use,
  message: string,
  changes: readonly Change[],
): { text: string; change: Change } | undefined {
  const title = `${method.toUpperCase()} ${path}`;
  const own = changes.filter(({ operations }) => operations.includes(title));
  const scoreOf = (change: Change) => {
    const at = partOf(change, title);
    const names = [...at.matchAll(/[^/\s]+/g)].map(([each]) => each);
    const isNamed = names.some((each) => each === name || message.includes(`'${each}'`));
    const isPart =
      at === '' || at.startsWith(part) || (part === 'request' && !at.startsWith('resp'));
    const isQuoted = [...change.what.matchAll(/[\w-]+/g)].some(([each]) => each === name);
    return (
      (isPart ? 4 : 0) + (isNamed || isQuoted ? 2 : 0) + (change.severity === 'breaking' ? 1 : 0)
    );
  };
  const [change] = own.toSorted((a, b) => scoreOf(b) - scoreOf(a));
  if (change === undefined || scoreOf(change) < 4) return undefined;
  const where = [title, partOf(change, title)].filter(Boolean).join(' ');
  return { text: `${where}: ${change.what}`, change };
}
