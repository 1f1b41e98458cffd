// The lines of YAML that a change replaces, as a diff.
import { type Node, unescapeToken, valueAt } from '@stubwright/contract';
import { printable } from '@stubwright/contract/printable';
import type { Change } from '../rules/rules.ts';

const MAX_LINES = 10;
/** Of each side; more are not compared. */
const MAX_COMPARED = 300;

/** The documents of both contracts. */
export interface Documents {
  readonly before: Node;
  readonly after: Node;
}

/** A line of YAML that both sides have, or one of them. */
export interface ComparedLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** @returns the lines of the values at both locations; an absent value has none */
export function comparedLines({ before, after }: Change, documents: Documents): ComparedLine[] {
  return differenceOf(...sidesOf({ before, after }, documents));
}

function sidesOf(
  { before, after }: Pick<Change, 'before' | 'after'>,
  documents: Documents,
): [was: string[], is: string[]] {
  const isWithin = (inner: string, outer: string) => inner.startsWith(`${outer}/`);
  // An absent value is located at its nearest ancestor.
  return [
    isWithin(after, before) ? [] : linesAt(documents.before, before),
    isWithin(before, after) ? [] : linesAt(documents.after, after),
  ];
}

/** @returns at most ten lines with `- ` and `+ `; none if the values at both locations are equal */
export function excerptOf(change: Change, documents: Documents): string[] {
  const [was, is] = sidesOf(change, documents);
  const lines = differenceOf(was, is).flatMap(({ sign, text }) =>
    sign === ' ' ? [] : [`${sign} ${text}`],
  );
  if (lines.length === 0) return lines;
  // The keyword whose value changed.
  const head = was[0] === is[0] ? [`  ${was[0]}`] : [];
  const room = MAX_LINES - head.length;
  if (lines.length <= room) return [...head, ...lines];
  return [...head, ...balanced(lines, room - 1), `… ${lines.length - room + 1} more lines`];
}

/** Both sides are shown: a long removal does not hide what replaces it. */
function balanced(lines: readonly string[], room: number): string[] {
  const added = lines.filter((line) => line.startsWith('+'));
  const removed = lines.length - added.length;
  const ofAdded = Math.min(added.length, Math.max(room >> 1, room - removed));
  const left = { '-': room - ofAdded, '+': ofAdded };
  return lines.filter((line) => left[line[0] as '-' | '+']-- > 0);
}

function linesAt(document: Node, pointer: string): string[] {
  const value = valueAt(document, pointer);
  if (value === undefined) return [];
  const name = unescapeToken(pointer.slice(pointer.lastIndexOf('/') + 1));
  const isItem = Array.isArray(valueAt(document, pointer.slice(0, pointer.lastIndexOf('/'))));
  return yamlLines(isItem ? [value] : { [name]: value }, MAX_COMPARED);
}

/** The longest common subsequence of lines stays. */
function differenceOf(was: readonly string[], is: readonly string[]): ComparedLine[] {
  const width = is.length + 1;
  const lengths = new Uint16Array((was.length + 1) * width);
  for (let i = was.length - 1; i >= 0; i--) {
    for (let j = is.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        was[i] === is[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const lines: ComparedLine[] = [];
  for (let i = 0, j = 0; i < was.length || j < is.length; ) {
    if (i < was.length && was[i] === is[j]) {
      lines.push({ sign: ' ', text: was[i]! });
      [i, j] = [i + 1, j + 1];
    } else if (
      j >= is.length ||
      (i < was.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      lines.push({ sign: '-', text: was[i++]! });
    } else lines.push({ sign: '+', text: is[j++]! });
  }
  return lines;
}

/** A plain scalar of YAML that no reader takes for another type. */
const PLAIN = /^[A-Za-z_/$][\w$./-]*(?: [\w$./-]+)*$/;
const OTHER_TYPES = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** @returns at most `max` lines */
export function yamlLines(value: unknown, max: number): string[] {
  const lines: string[] = [];
  write(value, '', lines, max);
  return lines.slice(0, max);
}

function write(value: unknown, indent: string, lines: string[], max: number): void {
  if (lines.length >= max) return;
  if (Array.isArray(value)) {
    for (const item of value) entry('-', item, indent, lines, max);
  } else if (isCollection(value)) {
    for (const [name, member] of Object.entries(value)) {
      entry(`${scalar(name)}:`, member, indent, lines, max);
    }
  }
}

function entry(key: string, value: unknown, indent: string, lines: string[], max: number): void {
  if (lines.length >= max) return;
  if (!isCollection(value)) {
    lines.push(`${indent}${key} ${scalar(value)}`);
    return;
  }
  if (key !== '-') {
    lines.push(indent + key);
    write(value, `${indent}  `, lines, max);
    return;
  }
  const start = lines.length;
  write(value, `${indent}  `, lines, max);
  lines[start] = `${indent}- ${lines[start]!.slice(indent.length + 2)}`;
}

/** False for an empty one, which is written as a scalar. */
function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return PLAIN.test(value) && !OTHER_TYPES.test(value) ? value : printable(JSON.stringify(value));
}
