// Writes the first lines of a JSON value as block YAML.
import { printable } from '@stubwright/contract/printable';

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
