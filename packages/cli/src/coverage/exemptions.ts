// Reads the file of responses that the coverage gate exempts.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject, type Located, type Position, textOf } from '@stubwright/contract';
import { parseText } from '../loading/parse.ts';

export const EXEMPTIONS = 'test/coverage-exemptions.yaml';

/** Applies to a response `getToy 503 application/json`, a status `getToy 503` or an operation `getToy`. */
export interface Exemption {
  readonly name: string;
  readonly reason: string;
  readonly position: Position;
}

/** @param text YAML, a map of responses to reasons: `getToy 503: the store cannot fail` */
export function readExemptions(text: string, file: string) {
  const parsed = parseText(text, false);
  const errors: Located[] = (parsed.errors ?? []).map(({ line, column, what, expected }) => {
    return { position: { file, line, column }, message: `${what}  ${expected}` };
  });
  if (parsed.errors !== undefined) return { exemptions: [], errors };
  const { value, positions } = parsed;
  if (value === undefined || value === null) return { exemptions: [], errors };
  if (!isObject(value)) {
    const message = 'no map  expected response: reason';
    return { exemptions: [], errors: [{ position: { file, line: 1, column: 1 }, message }] };
  }
  const exemptions = Object.entries(value).flatMap(([name, reason]): Exemption[] => {
    const position = { file, ...positions.lineAndColumn(positions.find([name]).keyStart) };
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
