// Adds a version to `served` of compatibility.yaml.
import { compareVersions } from '@stubwright/diff/versions';
import { configurationIn } from '@stubwright/versions';
import { parseText } from '../loading/parse.ts';
import { POLICY } from '../project/layout.ts';

export interface NewEntry {
  readonly version: string;
  readonly until?: string | undefined;
  readonly path?: string | undefined;
}

/** Selects versions unless the file or the entry says otherwise. */
const HEADER = 'Api-Version';

/**
 * @param text of compatibility.yaml, whose comments stay
 * @returns the text with the entry, after the versions before it
 * @throws {ContractErrors} if the entry makes the file invalid
 */
export function withServedEntry(text: string, { version, until, path }: NewEntry): string {
  configurationIn(text, POLICY);
  const result = inserted(text, { version, until, path });
  configurationIn(result, POLICY);
  return result;
}

function inserted(text: string, entry: NewEntry): string {
  const parsed = parseText(text, false);
  // The configuration is valid.
  if (parsed.errors !== undefined) return text;
  const { positions, value } = parsed;
  const { served } = Object(value) as { served?: { versions?: { version: unknown }[] } };
  if (served === undefined) {
    const header = entry.path === undefined ? [`  header: ${HEADER}`] : [];
    return spliced(text, text.length, ['served:', ...header, '  versions:', ...itemOf(entry, 4)]);
  }
  const columnOf = (offset: number) => positions.lineAndColumn(offset).column - 1;
  const place = positions.find(['served']);
  const { versions } = served;
  if (versions === undefined) {
    const indent = columnOf(place.start);
    const key = `${' '.repeat(indent)}versions:`;
    return spliced(text, place.end, [key, ...itemOf(entry, indent + 2)]);
  }
  const list = positions.find(['served', 'versions']);
  const at = versions.findIndex((each) => compareVersions(String(each.version), entry.version) > 0);
  if (text[list.start] !== '-') {
    const indent = columnOf(list.keyStart) + 2;
    const items = versions.map((each) => itemOf(each as NewEntry, indent));
    items.splice(at < 0 ? items.length : at, 0, itemOf(entry, indent));
    const block = `\n${items.flat().join('\n')}`;
    return text.slice(0, list.start).trimEnd() + block + text.slice(list.end);
  }
  const lines = itemOf(entry, columnOf(list.start));
  if (at < 0) return spliced(text, list.end, lines);
  const { start } = positions.find(['served', 'versions', String(at)]);
  return spliced(text, text.lastIndexOf('\n', text.lastIndexOf('-', start)) + 1, lines);
}

function itemOf(entry: NewEntry, indent: number): string[] {
  const { version, path, until, ...others } = entry;
  const rest = Object.entries({ path, until, ...others }).filter(
    ([, value]) => value !== undefined,
  );
  const fields = [`version: '${version}'`, ...rest.map(([name, value]) => `${name}: ${value}`)];
  return fields.map((each, at) => `${' '.repeat(indent)}${at === 0 ? '- ' : '  '}${each}`);
}

/** Inserts lines at the start of a line, or after the line of the offset. */
function spliced(text: string, offset: number, lines: readonly string[]): string {
  const isLineStart = offset === 0 || text[offset - 1] === '\n';
  const lineEnd = isLineStart ? offset - 1 : text.indexOf('\n', offset);
  const head = lineEnd < 0 && !isLineStart ? `${text}\n` : text.slice(0, lineEnd + 1);
  return `${head}${lines.join('\n')}\n${text.slice(head.length)}`;
}
