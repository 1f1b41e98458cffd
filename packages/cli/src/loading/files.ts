// The files of a contract: found by path, read, parsed. Nothing comes from the network.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseResolver, type Document, ResolveError, Source } from '@redocly/openapi-core';
import { sha256 } from 'stubwright/internal/document/hash';
import { unescapeUri } from 'stubwright/internal/document/pointer';
import { parseText, type SyntaxIssue } from './parse.ts';

/** The message of a `$ref` into a file whose own errors are reported already. */
export const HAS_ERRORS = 'the file has errors of its own';

const NETWORK = /^(?:https?|data):/i;

export class ContractFiles extends BaseResolver {
  /** What was read: SHA-256 in hex by absolute path. */
  readonly hashes = new Map<string, string>();
  readonly errors: (SyntaxIssue & { readonly file: string })[] = [];
  readonly warnings: (SyntaxIssue & { readonly file: string })[] = [];

  /** False once a `$ref` has named a file, this one or another. */
  isOne = true;

  /** @returns what each file holds that was read and parsed, by its absolute path */
  async documents(): Promise<ReadonlyMap<string, unknown>> {
    const read = [...this.cache].map(async ([path, document]) => {
      const found = await document.catch(() => undefined);
      return [path, (found as Document | undefined)?.parsed] as const;
    });
    return new Map(await Promise.all(read));
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    if (base !== null) this.isOne = false;
    if (NETWORK.test(ref)) return ref;
    if (ref.startsWith('file:')) return fileURLToPath(ref);
    const folder = base === null ? process.cwd() : dirname(base);
    const path = resolve(folder, ref);
    return existsSync(path) ? path : resolve(folder, unescapeUri(ref));
  }

  override async loadExternalRef(path: string): Promise<Source> {
    if (NETWORK.test(path)) throw refusal('it leads to the network');
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw refusal(reasonOf(error));
    });
    this.hashes.set(path, sha256(bytes));
    return new Source(path, decode(bytes).replaceAll('\r\n', '\n'));
  }

  /** Files of other kinds are texts: what a description or an example may refer to. */
  override parseDocument(source: Source, isRoot = false): Document {
    const extension = extname(source.absoluteRef).toLowerCase();
    const isContract = isRoot || ['', '.json', '.yaml', '.yml'].includes(extension);
    if (!isContract) return { source, parsed: source.body };
    const parsed = parseText(source.body, extension === '.json');
    if (parsed.errors === undefined) {
      const { value, warning } = parsed;
      if (warning !== undefined) this.warnings.push({ ...warning, file: source.absoluteRef });
      return { source, parsed: value };
    }
    this.errors.push(...parsed.errors.map((error) => ({ ...error, file: source.absoluteRef })));
    throw refusal(HAS_ERRORS);
  }
}

/** Why a file could not be read, in a few words. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  return code ?? message;
}

function refusal(message: string): ResolveError {
  return new ResolveError(new Error(message));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal('it is not UTF-8');
  }
}
