// Adds a version to `served` of compatibility.yaml.
import { compareVersions } from '@stubwright/diff/versions';
import { configurationIn } from '@stubwright/versions';
import { isMap, isSeq, parseDocument } from 'yaml';
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
  const document = parseDocument(text);
  if (!document.has('served')) {
    if (document.contents === null) document.contents = document.createNode({}) as never;
    document.set('served', document.createNode(path === undefined ? { header: HEADER } : {}));
  }
  const served = document.get('served');
  if (isMap(served)) {
    if (!served.has('versions')) served.set('versions', document.createNode([]));
    const versions = served.get('versions');
    if (isSeq(versions)) {
      const at = versions.items.findIndex(
        (each) => isMap(each) && compareVersions(String(each.get('version')), version) > 0,
      );
      const entry = document.createNode({ version, path, until }, { keepUndefined: false });
      const quoted = entry.get('version', true);
      if (quoted !== undefined) (quoted as { type?: string }).type = 'QUOTE_SINGLE';
      versions.items.splice(at < 0 ? versions.items.length : at, 0, entry);
      versions.flow = false;
    }
  }
  const result = document.toString({ lineWidth: 0 });
  configurationIn(result, POLICY);
  return result;
}
