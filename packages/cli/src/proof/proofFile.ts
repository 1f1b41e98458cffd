// generated/versions/VERSION.proof.json: what a proof was made of. `diff` compares it with the files as they are now.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Contract, isObject } from '@stubwright/contract';
import { canonical } from '@stubwright/diff/internals';
import type { ServedEntry } from '@stubwright/versions';
import ts from 'typescript';
import { proofPath } from '../serving/servedFiles.ts';
import type { ProofHashes } from './results.ts';

export interface ProvenFiles {
  readonly entry: ServedEntry;
  readonly older: Contract;
  readonly newer: Contract;
}

/** @param cwd that the path of the converters is relative to */
export function hashesOf({ entry, older, newer }: ProvenFiles, cwd = ''): ProofHashes {
  return {
    older: hashOf(canonical(older.document)),
    newer: hashOf(canonical(newer.document)),
    converters: hashOf(modulesFrom(resolve(cwd, entry.converters)).join('\n')),
  };
}

/** @returns `missing` without a proof, `stale` for one of other files; undefined for a valid one */
export function proofError(
  version: string,
  hashes: ProofHashes,
  cwd = '',
): 'missing' | 'stale' | undefined {
  const path = resolve(cwd, proofPath(version));
  if (!existsSync(path)) return 'missing';
  const proof = jsonOf(readFileSync(path, 'utf8'));
  const isSame = Object.entries(hashes).every(([name, hash]) => proof[name] === hash);
  return isSame ? undefined : 'stale';
}

/** Writes a proof that has passed. */
export function writeProof(version: string, hashes: ProofHashes, cwd = ''): void {
  const path = resolve(cwd, proofPath(version));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(hashes, null, 2)}\n`);
}

export function removeProof(version: string, cwd = ''): void {
  rmSync(resolve(cwd, proofPath(version)), { force: true });
}

/** @returns the texts of a module and of those of the project that it imports; none for a missing file */
function modulesFrom(path: string): string[] {
  const paths = new Set([path]);
  const texts: string[] = [];
  for (const each of paths) {
    if (!existsSync(each)) continue;
    const text = readFileSync(each, 'utf8');
    texts.push(text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (/^\.{0,2}\//.test(fileName)) paths.add(resolve(dirname(each), fileName));
    }
  }
  return texts;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
