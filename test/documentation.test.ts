// README.md and docs/: links, make targets, settings and file names.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import plugin from '@stubwright/cli/redocly';
import { catalogue } from '@stubwright/contract';
import { readSettings } from '@stubwright/service';
import { readConfig } from '../src/config.ts';
import { follow, readmeBlocks } from './support/readmeBlocks.ts';
import { temporaryFolder } from './support/service.ts';

const pages = [
  'README.md',
  ...globSync('docs/**/*.md', { exclude: ['**/node_modules/**'] }).sort(),
];
const text = (file: string) => readFileSync(file, 'utf8');
const matches = (pattern: RegExp, source: string) =>
  [...source.matchAll(pattern)].map(([, group]) => group!);

const withoutBlocks = (source: string) => source.replace(/^ *```.*?^ *```$/gms, '');
const inlineCode = (source: string) => matches(/`([^`\n]+)`/g, withoutBlocks(source));
const blocks = (source: string) => matches(/^ *```\w*\n(.*?)^ *```$/gms, source);

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const heading of matches(/^#{1,6} (.+)$/gm, withoutBlocks(text(file)))) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function isBroken(link: string, page: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor));
}

describe.each(pages)('%s', (page) => {
  const source = text(page);

  it('has only relative links that resolve', () => {
    const links = matches(/\]\(([^)\s]+)\)/g, withoutBlocks(source));
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(relative.length).toBeGreaterThan(0);
    expect(relative.filter((link) => isBroken(link, page))).toEqual([]);
  });

  it('names only make targets that exist', () => {
    const code = [...inlineCode(source), ...blocks(source)].join('\n');
    const named = matches(/\bmake ((?:[a-z][a-z-]*\b(?!=) ?)+)/g, code).flatMap((list) =>
      list.trim().split(' '),
    );
    expect(named.filter((target) => !makeTargets.includes(target))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = inlineCode(source).filter((code) =>
      /^(?:src|test|packages|bench|docs|generated|\.ci)\/[\w/.-]*$/.test(code),
    );
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

it.each(globSync('packages/*/README.md'))('%s has only relative links that resolve', (page) => {
  const links = matches(/\]\(([^)\s]+)\)/g, withoutBlocks(text(page)));
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && isBroken(link, page))).toEqual([]);
});

it('shows the handler of the plant store in the README', () => {
  const handler = text('src/handlers/createPlant.ts');
  const shown = `\`\`\`ts\n${handler.slice(handler.indexOf('export async function'))}\`\`\`\n`;
  expect(text('README.md')).toContain(shown);
});

it('lists the entry points of stubwright in its README', () => {
  const [listed = ''] = /^Entry points: .*$/m.exec(text('packages/stubwright/README.md')) ?? [];
  const { exports } = JSON.parse(text('packages/stubwright/package.json'));
  const entries = Object.keys(exports).filter((key) => key !== './package.json');
  expect(
    inlineCode(listed)
      .filter((code) => code.startsWith('stubwright'))
      .sort(),
  ).toEqual(entries.map((key) => key.replace('.', 'stubwright')).sort());
});

it('shows existing files and folders in the layout', () => {
  const [layout = ''] = blocks(/^## Layout$.*/ms.exec(text('docs/architecture.md'))![0]);
  const parents: string[] = [];
  const missing: string[] = [];
  for (const [, indent = '', name = '', rest = ''] of layout.matchAll(/^( *)(\S+)(.*)$/gm)) {
    parents.splice(indent.length / 2, Number.POSITIVE_INFINITY, name);
    const path = join(...parents);
    const folders = [path, dirname(path)];
    const inside = matches(/(?<=[ (])([\w/]+(?:\.ts|\/))(?=[:;,)]| *$)/gm, rest);
    if (globSync(path).length === 0) missing.push(path);
    for (const each of inside.filter(
      (file) => !folders.some((folder) => existsSync(join(folder, file))),
    ))
      missing.push(`${path} ${each}`);
  }
  expect(parents.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

const makeTargets = matches(/^([a-z-]+):.*## /gm, text('Makefile'));

it('documents every make target', () => {
  const documented = inlineCode(text('README.md') + text('docs/contributing.md')).join('\n');
  expect(makeTargets).toContain('start');
  expect(
    makeTargets.filter((target) => !new RegExp(`^make ${target}(?![\\w-])`, 'm').test(documented)),
  ).toEqual([]);
});

describe('the settings in configuration.md', () => {
  const pages = ['docs/stubwright/configuration.md', 'docs/plant-store/configuration.md'];
  const [ofServices = [], ofPlantStore = []] = pages.map((page) =>
    matches(/^(\| `[A-Z_]+` .*)$/gm, text(page)).map((row) =>
      row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
    ),
  );
  const rows = [...ofServices, ...ofPlantStore];
  const documented = rows.map(([, name]) => name!);

  it('are those that stubwright reads, and those that src/config.ts reads', () => {
    const names = ofServices.map(([, name]) => name!);
    expect([...names].sort()).toEqual([...settingsRead(documented, readSettings)].sort());
    expect([...documented].sort()).toEqual([...settingsRead(documented, readConfig)].sort());
  });

  it('have the defaults of src/config.ts', () => {
    const stated = rows.filter(([, , value]) => value !== '');
    expect(stated.length).toBeGreaterThan(0);
    for (const [, name = '', value = ''] of stated) {
      expect([name, readConfig({ [name]: value, ...ADMIN })]).toEqual([name, readConfig(ADMIN)]);
    }
  });
});

/** ADMIN_HOST has no effect without it. */
const ADMIN = { ADMIN_PORT: '0' };

/** Some settings are read only if another one is set, so each of `names` is set once. */
function settingsRead(
  names: readonly string[],
  readAll: (env: NodeJS.ProcessEnv) => unknown,
): Set<string> {
  const read = new Set<string>();
  for (const env of [{}, ...names.map((name) => ({ [name]: '1' }))] as NodeJS.ProcessEnv[]) {
    const observed = new Proxy(env, {
      get(target, name: string) {
        read.add(name);
        return target[name];
      },
    });
    try {
      readAll(observed);
    } catch (error) {
      expect((error as Error).name).toBe('ConfigError');
    }
  }
  return read;
}

it('documents the rules of the strict preset in docs/stubwright/rules.md, each with an example', () => {
  const rows = matches(/^\| (`[a-z]+[/-].*)$/gm, text('docs/stubwright/rules.md'));
  const documented = rows.map((row) => row.split(' | ').map((cell) => cell.trim()));
  expect(documented.map(([rule]) => rule)).toEqual(
    Object.keys(plugin().configs!['strict']!.rules!).map((rule) => `\`${rule}\``),
  );
  expect(documented.filter((cells) => cells.length !== 3 || cells.includes('|'))).toEqual([]);
});

it('explains every error number in docs/stubwright/errors.md, each with a cause and a cure', () => {
  const rows = matches(/^\| (\d{5} \|.*) \|$/gm, text('docs/stubwright/errors.md'));
  const explained = rows.map((row) => row.split(' | '));
  expect(explained.map(([number]) => number)).toEqual(Object.keys(catalogue));
  expect(explained.filter((cells) => cells.length !== 3 || cells.includes(''))).toEqual([]);
});

it('keeps README.md within 120 lines', () => {
  expect(text('README.md').split('\n').length - 1).toBeLessThanOrEqual(120);
});

it('shows code in add-an-operation.md that make check accepts', () => {
  const folder = temporaryFolder();
  try {
    const files = ['biome.json', '.gitignore', 'openapi.yaml', 'test/api/errorScenarios.ts'];
    for (const file of files) cpSync(file, join(folder.path, file));
    for (const file of readmeBlocks().keys()) follow(folder.path, file);
    const biome = resolve('node_modules/@biomejs/biome/bin/biome');
    const args = [biome, 'check', '--error-on-warnings', '.'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: folder.path, encoding: 'utf8' },
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(status === 0 ? '' : stdout + stderr).toBe('');
    expect(stdout + stderr).toMatch(/^Checked 5 files/);
  } finally {
    folder.remove();
  }
});
