// The code blocks of docs/plant-store/add-an-operation.md, followed as a reader pastes them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the first line of a block says after the name of the file. */
interface Block {
  readonly place: string;
  readonly code: string;
}

/** @returns the blocks by the file that their first line names */
export function readmeBlocks(): ReadonlyMap<string, Block> {
  const page = readFileSync('docs/plant-store/add-an-operation.md', 'utf8');
  const blocks = page.matchAll(/^( *)```(?:ts|yaml)\n(.*?)^ *```$/gms);
  return new Map(
    [...blocks].map(([, indent, block]) => {
      const code = block!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      const [, file, place] = /^(?:#|\/\/) ([\w/.]+)(?:, |: )?(.*)$/m.exec(code)!;
      return [file!, { place: place!, code }];
    }),
  );
}

/**
 * Writes a whole file, or puts the block before the line that ends what its first line names. Does
 * nothing for a block that is there.
 *
 * @param project the folder of a copy
 */
export function follow(project: string, file: string): void {
  const { place, code } = readmeBlocks().get(file)!;
  const path = join(project, file);
  mkdirSync(dirname(path), { recursive: true });
  const end = /^at the end of (\w+)/.exec(place)?.[1];
  if (end === undefined) {
    writeFileSync(path, code);
    return;
  }
  const text = readFileSync(path, 'utf8');
  const added = code.slice(code.indexOf('\n') + 1);
  if (text.includes(added)) return;
  const start = text.search(new RegExp(`^(?:export const )?${end}\\b`, 'm'));
  const after = text.slice(start).search(/^(?:\};|components:)$/m) + start;
  writeFileSync(path, text.slice(0, after) + added + text.slice(after));
}
