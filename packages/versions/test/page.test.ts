// What docs/stubwright/versions-reference.md shows.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { configurationIn } from '../src/index.ts';

const page = readFileSync(
  new URL('../../../docs/stubwright/versions-reference.md', import.meta.url),
  'utf8',
);

describe('docs/stubwright/versions-reference.md', () => {
  it('has a valid compatibility.yaml', () => {
    const [, text = ''] = /```yaml\n(# compatibility[^`]*)```/.exec(page)!;
    expect(configurationIn(text, 'compatibility.yaml')).toEqual({
      ...{ header: 'Api-Version', mediaType: undefined, default: undefined },
      versions: [
        {
          ...{ version: '1.4.0', path: '/v1', until: '2027-06-30' },
          contract: 'generated/versions/1.4.0.json',
          converters: 'src/versions/1.4.0.ts',
        },
      ],
    });
  });

  it('lists the keys that the file may have', () => {
    const [settings = ''] = page.split('\n## Converters\n');
    const keys = [...settings.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    const errorOf = (yaml: string) => {
      try {
        configurationIn(yaml, 'compatibility.yaml');
        return '';
      } catch (error) {
        return String((error as Error).message);
      }
    };
    const ofServed = errorOf('served: {other: 1}');
    const ofVersion = errorOf("served: {versions: [{version: '1.0.0', other: 1}]}");
    expect(keys).toEqual([
      ...['header', 'mediaType', 'default', 'versions'],
      ...['version', 'path', 'deprecated', 'until', 'contract', 'converters'],
    ]);
    for (const key of keys.slice(0, 4)) expect(ofServed).toContain(key);
    for (const key of keys.slice(4)) expect(ofVersion).toContain(key);
  });
});
