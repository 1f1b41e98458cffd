// The dates of deprecated parts: x-deprecated-since and x-sunset.

import { type Node, objectLocations, timeOf } from '@stubwright/contract';
import type { AtPointer } from './atPointer.ts';

const SINCE = 'x-deprecated-since';
const SUNSET = 'x-sunset';

/** @returns the invalid dates of a document, and sunsets before the deprecation */
export function deprecationDateErrors(document: Node): AtPointer[] {
  return [...objectLocations(document)].flatMap(({ node, pointer }) => errorsOf(node, pointer));
}

function errorsOf(node: Node, pointer: string): AtPointer[] {
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
