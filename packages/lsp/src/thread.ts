// The thread of the language server that reads contracts; calls run one after the other.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { buffersOver, POLICY, parseText } from '@stubwright/cli/editor';
import type { Diagnostic, Position } from 'vscode-languageserver-types';
import { actionsAt } from './actions.ts';
import { completionsAt } from './completion.ts';
import { Changes, type ContractOfProject, checkFindings } from './findings.ts';
import { definitionAt, hoverAt, nameAt, outlineOf, referencesAt, renamed } from './language.ts';
import { EditedContract } from './model.ts';

/** A position in a file of a contract. */
export interface Asked {
  readonly project: ContractOfProject;
  readonly path: string;
  readonly position: Position;
}

/** Texts of open documents by absolute path, which count before the files; without carriage returns. */
const texts = new Map<string, string>();
const changes = new Changes();
/** The last contract that could be read; a text that is typed often cannot. */
let last: { key: string; edited: EditedContract | undefined; isCurrent: boolean } | undefined;

async function editedContract(project: ContractOfProject): Promise<EditedContract | undefined> {
  const key = project.contract;
  if (last?.key === key && last.isCurrent) return last.edited;
  const read = await EditedContract.of(project, texts);
  const edited = read ?? (last?.key === key ? last.edited : undefined);
  last = { key, edited, isCurrent: true };
  return edited;
}

type At = (edited: EditedContract, asked: Asked) => unknown;

/** Null without a contract. */
const about = (at: At) => async (asked: Asked) => {
  const edited = await editedContract(asked.project);
  return edited === undefined ? null : at(edited, asked);
};

const CALLS = {
  changes: (project: ContractOfProject) => changes.since(project, texts),
  check: (project: ContractOfProject) => checkFindings(project, texts),
  hover: about((edited, { path, position }) => hoverAt(edited, path, position)),
  definition: about((edited, { path, position }) => definitionAt(edited, path, position)),
  references: about((edited, { path, position }) => referencesAt(edited, path, position)),
  name: about((edited, { path, position }) => nameAt(edited, path, position)),
  rename: ({ newName, ...asked }: Asked & { newName: string }) =>
    about((edited, { path, position }) => renamed(edited, path, position, newName))(asked),
  completion: about((edited, { path, position }) =>
    completionsAt(edited, path, position, texts.get(path) ?? ''),
  ),
  async actions({ project, ...asked }: Asked & { readonly diagnostics: readonly Diagnostic[] }) {
    const { cwd } = project;
    return actionsAt(await editedContract(project), { ...asked, cwd, sources: buffersOver(texts) });
  },
  outline: ({ path }: Pick<Asked, 'path'>) =>
    outlineOf(parseText(texts.get(path) ?? '', false).positions),
};

export type CallName = keyof typeof CALLS;

export interface Call {
  readonly id: number;
  readonly name: CallName;
  readonly argument: unknown;
  /** Of documents that have changed; undefined for one that was closed. */
  readonly texts: readonly (readonly [path: string, text: string | undefined])[];
  /** True if files on the disk may have changed. */
  readonly isStale: boolean;
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

async function replyTo({ id, name, argument, texts: changed, isStale }: Call): Promise<Reply> {
  for (const [path, text] of changed) {
    if (text === undefined) texts.delete(path);
    else texts.set(path, text.replace(/\r\n?/g, '\n'));
  }
  if (last !== undefined && (isStale || changed.some(([path]) => !path.endsWith(POLICY)))) {
    last.isCurrent = false;
  }
  try {
    return { id, result: await CALLS[name](argument as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

/** After the last call. V8 keeps the garbage of a thread without work: 150 MB at a contract of 1.2 MB (make bench WHAT=lsp). */
const IDLE_MS = 1_000;
setFlagsFromString('--expose-gc');
const collectGarbage: NodeJS.GCFunction = runInNewContext('gc');

let queue: Promise<unknown> = Promise.resolve();
let idle: NodeJS.Timeout | undefined;
parentPort?.on('message', (call: Call) => {
  queue = queue.then(async () => {
    clearTimeout(idle);
    parentPort?.postMessage(await replyTo(call));
    idle = setTimeout(() => collectGarbage({ type: 'major', flavor: 'last-resort' }), IDLE_MS);
  });
});
