// The dates of deprecated parts: x-deprecated-since and x-sunset.
import { escapeToken, isObject, timeOf } from 'stubwright/contract';

export interface DateError {
  readonly pointer: string;
  readonly message: string;
}

/** Values of these are data, not parts of a contract. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);
const SINCE = 'x-deprecated-since';
const SUNSET = 'x-sunset';

/** @returns the invalid dates of a document, and sunsets before the deprecation */
export function deprecationDateErrors(document: unknown): DateError[] {
  const errors: DateError[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (Array.isArray(node)) {
      for (const [at, each] of node.entries()) visit(each, `${pointer}/${at}`);
    }
    if (!isObject(node)) return;
    errors.push(...errorsOf(node, pointer));
    for (const [name, value] of Object.entries(node)) {
      // A property may have such a name.
      const isData = DATA.has(name) && !pointer.endsWith('/properties');
      if (!isData) visit(value, `${pointer}/${escapeToken(name)}`);
    }
  };
  visit(document, '');
  return errors;
}

function errorsOf(node: Readonly<Record<string, unknown>>, pointer: string): DateError[] {
  const invalid = [SINCE, SUNSET].filter(
    (name) => node[name] !== undefined && timeOf(node[name]) === undefined,
  );
  if (invalid.length > 0) {
    return invalid.map((name) => ({
      pointer: `${pointer}/${name}`,
      message: `${name}: got ${JSON.stringify(node[name])}, expected a date such as 2026-06-30`,
    }));
  }
  const [since, sunset] = [timeOf(node[SINCE]), timeOf(node[SUNSET])];
  if (since === undefined || sunset === undefined || sunset >= since) return [];
  // RFC 9745, section 4.
  const message = `${SUNSET}: got ${node[SUNSET]}, expected ${node[SINCE]} (${SINCE}) or later`;
  return [{ pointer: `${pointer}/${SUNSET}`, message }];
}
