// Reads the file of responses that the coverage gate exempts.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Located, type Position, textOf } from '@stubwright/contract';
import { isMap, LineCounter, parseDocument, type Scalar } from 'yaml';

export const EXEMPTIONS = 'test/coverage-exemptions.yaml';

/** Applies to a response `getToy 503 application/json`, a status `getToy 503` or an operation `getToy`. */
export interface Exemption {
  readonly name: string;
  readonly reason: string;
  readonly position: Position;
}

/** @param text YAML, a map of responses to reasons: `getToy 503: the store cannot fail` */
export function readExemptions(text: string, file: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset = 0): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const errors = document.errors.map(({ message, pos }): Located => {
    return { position: at(pos[0]), message: `${message.split('\n')[0]}  expected YAML` };
  });
  if (errors.length > 0) return { exemptions: [], errors };
  const { contents } = document;
  if (contents === null) return { exemptions: [], errors };
  if (!isMap<Scalar, Scalar>(contents)) {
    const message = 'no map  expected response: reason';
    return { exemptions: [], errors: [{ position: at(), message }] };
  }
  const exemptions = contents.items.flatMap(({ key, value }): Exemption[] => {
    const name = String(key.value);
    const position = at(key.range?.[0]);
    const reason = value?.value;
    if (typeof reason === 'string' && reason.trim() !== '') return [{ name, reason, position }];
    errors.push({ position, message: `${name} has no reason  expected ${name}: reason` });
    return [];
  });
  return { exemptions, errors };
}

/** @param response `getToy 503 application/json` or `getToy 503` */
export function isExempt(response: string, { name }: Exemption): boolean {
  return response === name || response.startsWith(`${name} `);
}

/** @returns the exemptions in a file, none without the file @throws {Error} with each error in it */
export function exemptionsIn(file: string, cwd = ''): readonly Exemption[] {
  const path = resolve(cwd, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { exemptions, errors } = readExemptions(text, file);
  if (errors.length > 0) throw new Error(errors.map(textOf).join('\n'));
  return exemptions;
}
