// Overlays: what they change, where their values are located, and what they refuse.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadContract, tokensOf } from '@stubwright/contract';
import { memoryTree } from '../../src/loading/containment.ts';
import { checkedContract } from '../../src/loading/load.ts';
import { applyOverlays } from '../../src/loading/overlay.ts';
import { parseText } from '../../src/loading/parse.ts';
import { COMMAND_NAMES } from '../../src/run.ts';
import { startCommand } from '../support/command.ts';
import { createEmptyProject, type ToyProject } from '../support/toyProject.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: '1'}
servers:
  - {url: https://dev.test, description: Dev}
  - {url: https://test.test}
paths:
  /toys:
    get: &get
      summary: Lists toys
      tags: [toys]
      responses:
        '200': {description: OK}
        '500': {description: Failed}
  /robots:
    get: *get
`;

/** @param actions items of a list in YAML */
function overlayOf(actions: string, version = '1.0.0'): string {
  return `overlay: ${version}\ninfo: {title: Public, version: '1'}\nactions:\n${actions}`;
}

const HIDE = overlayOf("  - target: $.paths['/robots']\n    remove: true\n");

function overlaid(actions: string, version = '1.1.0') {
  const { value, positions } = parseText(CONTRACT, false) as never;
  const result = applyOverlays({ file: 'openapi.yaml', value, positions }, [
    { file: 'public.yaml', text: overlayOf(actions, version) },
  ]);
  const at = (pointer: string) => {
    const { file, positions, start } = result.find(tokensOf(pointer));
    const { line, column } = positions.lineAndColumn(start);
    return `${file}:${line}:${column}`;
  };
  const texts = (issues: typeof result.errors) =>
    issues.map(
      (each) => `${each.file}:${each.line}:${each.column}  ${each.what}  ${each.expected}`,
    );
  return {
    // biome-ignore lint/suspicious/noExplicitAny: any contract
    value: result.value as any,
    at,
    errors: texts(result.errors),
    warnings: texts(result.warnings),
  };
}

describe('an overlay', () => {
  it.each(['1.0.0', '1.1.0', '1.1.7'])(
    'of version %s merges objects and appends to arrays',
    (version) => {
      const { value, at, errors, warnings } = overlaid(
        "  - target: $.paths['/toys'].get\n    update:\n      summary: Toys\n      tags: [public]\n      x-new: {a: [1]}\n" +
          '  - target: $.servers\n    update: {url: https://new.test}\n',
        version,
      );
      expect([errors, warnings]).toEqual([[], []]);
      expect(value.paths['/toys'].get).toMatchObject({
        summary: 'Toys',
        tags: ['toys', 'public'],
        'x-new': { a: [1] },
      });
      expect(value.servers[2]).toEqual({ url: 'https://new.test' });
      expect(value.info).toEqual({ title: 'Toys', version: '1' });
      expect(at('/paths/~1toys/get/summary')).toBe('public.yaml:6:16');
      expect(at('/paths/~1toys/get/tags/0')).toBe('openapi.yaml:10:14');
      expect(at('/paths/~1toys/get/tags/1')).toBe('public.yaml:7:14');
      expect(at('/paths/~1toys/get/x-new/a/0')).toBe('public.yaml:8:19');
      expect(at('/paths/~1toys/get/x-new/absent')).toBe('public.yaml:8:14');
      expect(at('/servers/2/url')).toBe('public.yaml:10:19');
      expect(at('/paths/~1toys/get/responses/200')).toBe('openapi.yaml:12:16');
      expect(at('')).toBe('openapi.yaml:1:1');
    },
  );

  it('changes a value of an alias at its target alone', () => {
    const { value, at } = overlaid(
      "  - target: $.paths['/toys'].get\n    update: {summary: Toys}\n",
    );
    expect(value.paths['/robots'].get.summary).toBe('Lists toys');
    expect(at('/paths/~1robots/get/summary')).toBe('openapi.yaml:9:16');
  });

  it('removes values, and locates those that remain', () => {
    const { value, at } = overlaid(
      "  - target: $.servers[?(@.description == 'Dev')]\n    remove: true\n" +
        "  - target: $.paths..responses['500']\n    remove: true\n" +
        '  - target: $.paths.*.get.summary\n    remove: true\n' +
        '  - target: $.info\n    remove: false\n',
    );
    expect(value.servers).toEqual([{ url: 'https://test.test' }]);
    expect(at('/servers/0/url')).toBe('openapi.yaml:5:11');
    expect(at('/paths/~1toys/get/responses/200')).toBe('openapi.yaml:12:16');
    for (const path of ['/toys', '/robots']) {
      expect(value.paths[path].get).toEqual({
        tags: ['toys'],
        responses: { 200: { description: 'OK' } },
      });
    }
    expect(value.info).toBeDefined();
    expect(overlaid('  - target: $.servers[*]\n    remove: true\n').value.servers).toEqual([]);
  });

  it('replaces other values, and copies', () => {
    const { value, at, errors } = overlaid(
      "  - target: $.info.title\n    update: Robots\n  - target: $.paths['/robots']\n    copy: $.info\n" +
        "  - target: $.paths['/toys']\n    copy: $.servers[0]\n",
    );
    expect(errors).toEqual([]);
    expect(value.info.title).toBe('Robots');
    expect(value.paths['/robots']).toMatchObject({ title: 'Robots', version: '1' });
    expect(at('/info/title')).toBe('public.yaml:5:13');
    expect(at('/paths/~1robots/version')).toBe('openapi.yaml:2:30');
    expect(at('/paths/~1toys/url')).toBe('openapi.yaml:4:11');
  });

  it('may have extensions, and the contract that it extends', () => {
    const { value, errors, warnings } = overlaid(
      '  - target: $.info\n    x-reason: public\n    update: {license: {name: MIT}}\n',
      '1.0.0\nextends: openapi.yaml\nx-of: us',
    );
    expect([errors, warnings]).toEqual([[], []]);
    expect(value.info).toEqual({ title: 'Toys', version: '1', license: { name: 'MIT' } });
  });

  it('of version 1.0 removes in spite of an update', () => {
    const action = (remove: boolean) =>
      `  - target: $.info\n    update: {title: Robots}\n    remove: ${remove}\n`;
    expect(overlaid(action(true), '1.0.0')).toMatchObject({ errors: [], value: { paths: {} } });
    expect(overlaid(action(true), '1.0.0').value.info).toBeUndefined();
    expect(overlaid(action(false), '1.0.0').value.info.title).toBe('Robots');
    expect(overlaid(action(true)).errors).toEqual([
      'public.yaml:4:5  "$.info" has more than one change  expected update, copy or remove',
    ]);
  });

  it.each([
    [
      '  - target: $.info\n    x-note: {}\n',
      '4:5  "$.info" has no change  expected update, copy or remove',
    ],
    [
      '  - target: $.paths.*.post\n    remove: true\n',
      '4:13  $.paths.*.post selects nothing  expected a JSONPath of existing values',
    ],
  ])('warns of an action that changes nothing: %j', (actions, warning) => {
    const { value, warnings, errors } = overlaid(actions);
    expect(warnings).toEqual([`public.yaml:${warning}`]);
    expect([errors, value.info.title]).toEqual([[], 'Toys']);
  });

  it('applies its actions in order', () => {
    const actions =
      '  - target: $.servers\n    remove: true\n  - target: $\n    update: {servers: [{url: /}]}\n';
    const { value, at } = overlaid(actions);
    expect(value.servers).toEqual([{ url: '/' }]);
    expect(at('/servers/0')).toBe('public.yaml:7:24');
  });

  it.each([
    ['  - target: $.info[\n    remove: true\n', /^public\.yaml:4:13 {2}.*JSONPath/],
    [
      '  - target: $.info\n    update: [1]\n',
      /^public\.yaml:5:13 {2}got an array .*expected an object$/,
    ],
    ['  - target: $.info.title\n    update: {a: 1}\n', /^public\.yaml:5:13 {2}got an object /],
    ['  - target: $.info\n    update: {title: {a: 1}}\n', /expected a string/],
    ['  - target: $.*\n    update: {a: 1}\n', /^public\.yaml:4:13 {2}.*several kinds/],
    ['  - target: $.info\n    copy: $.servers.*\n', /^public\.yaml:5:11 {2}it selects 2 values/],
    ['  - target: $\n    remove: true\n', /^public\.yaml:4:13 {2}it selects the whole contract/],
    ['  - target: $.info\n    remove: true\n    update: {}\n', /expected update, copy or remove$/],
    ['  - target: $.info\n    updates: {}\n', /^public\.yaml:5:14 {2}got updates/],
    ['  - remove: true\n', /^public\.yaml:4:5 {2}no target/],
    ['  a: 1\n', /^public\.yaml:4:3 {2}got an object {2}expected an array of actions$/],
    ['  - target: "\n', /^public\.yaml:\d+:\d+ {2}.*expected YAML$/],
  ])('refuses %j, and leaves the contract', (actions, message) => {
    const { errors, value } = overlaid(actions);
    expect(errors[0]).toMatch(message);
    expect(value.info).toEqual({ title: 'Toys', version: '1' });
  });

  it.each(['2.0.0', '1.2.0'])('refuses version %s', (version) => {
    expect(overlaid('  []\n', version).errors).toEqual([
      `public.yaml:1:10  got "${version}"  expected 1.0.0 or 1.1.0`,
    ]);
  });
});

describe('a contract in memory', () => {
  const checked = (files: Record<string, string>, overlays?: readonly string[]) => {
    const sources = memoryTree('/work', new Map(Object.entries({ 'a.yaml': CONTRACT, ...files })));
    const given = overlays && { overlays: { contract: 'a.yaml', files: overlays } };
    return checkedContract('a.yaml', { cwd: '/work', sources, ...given });
  };

  it('has the overlays of stubwright.yaml, then those of the command', async () => {
    const { document, files, warnings } = await checked(
      {
        'stubwright.yaml': 'overlays: [one.yaml]\n',
        'one.yaml': overlayOf('  - target: $.info\n    update: {title: One, description: One}\n'),
        'two.yaml': overlayOf('  - target: $.info\n    update: {title: Two}\n'),
      },
      ['two.yaml'],
    );
    expect(document.info).toEqual({ title: 'Two', description: 'One', version: '1' });
    expect(Object.keys(files)).toEqual(
      ['a.yaml', 'one.yaml', 'stubwright.yaml', 'two.yaml'].map((name) => `/work/${name}`),
    );
    expect(warnings).toEqual([]);
  });

  it('locates an error in the overlay that wrote it', async () => {
    const overlay = overlayOf('  - target: $.info\n    update: {title: 1}\n');
    const target = "$.paths['/toys'].get.responses['200']";
    const schema = overlayOf(
      `  - target: ${target}\n    update: {content: {a/b: {schema: {type: strin}}}}\n`,
    );
    const { warnings } = await checked({ 'o.yaml': overlay }, ['o.yaml']);
    expect(warnings).toMatchObject([{ position: { file: 'o.yaml', line: 5, column: 21 } }]);
    const { errors } = await checked({ 'o.yaml': schema }, ['o.yaml']);
    expect(JSON.stringify(errors)).toMatch(/o\.yaml/);
    await expect(checked({}, ['none.yaml'])).rejects.toThrow(/none\.yaml:1:1 .*no such file/);
  });

  it.each(['overlays: one.yaml\n', 'overlays: [1]\n'])('refuses %j', async (text) => {
    await expect(checked({ 'stubwright.yaml': text })).rejects.toThrow(
      /stubwright\.yaml:1:1 {2}got other values {2}expected an array of paths/,
    );
  });
});

describe('--overlay', () => {
  let project: ToyProject;
  beforeEach(() => {
    project = createEmptyProject();
    project.write('openapi.yaml', CONTRACT.replace("version: '1'", 'version: 1.0.0'));
    project.write('hide.yaml', HIDE);
  });
  afterEach(() => project.remove());

  // The others start the service of the project, which reads the overlays of stubwright.yaml.
  const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
    client: ['openapi.yaml', 'client'],
    coverage: ['recorded'],
    diff: ['1.0.0'],
    mock: ['openapi.yaml', '--port', '0'],
    proxy: ['openapi.yaml', 'http://127.0.0.1:9', '--port', '0'],
    release: ['openapi.yaml', 'other', '--no-client'],
    'serve-version': ['1.0.0'],
  };
  const started = async (args: readonly string[]) => {
    const command = await startCommand(args, /(http:\/\/127\S+)$/m, { cwd: project.path });
    await command.stop();
    return command.output;
  };
  const NAMES = COMMAND_NAMES.filter((name) => !['dev', 'init', 'lsp', 'replay'].includes(name));

  it.each(NAMES)('is an option of %s, which reports a target without values once', async (name) => {
    expect((await project.run(name, '--help')).out).toContain('--overlay <file>');
    await project.run('release', 'openapi.yaml', '--no-client');
    project.write('recorded/a.jsonl', '');
    project.write('none.yaml', overlayOf('  - target: $.none\n    remove: true\n'));
    const args = [name, ...(ARGUMENTS[name] ?? []), '--overlay', 'none.yaml'];
    const isServing = ['mock', 'proxy'].includes(name);
    const { out, err } = await (isServing ? started(args) : project.run(name, ...args.slice(1)));
    expect(`${out}${err}`.match(/none\.yaml:4:13 .*\$\.none selects nothing/g)).toHaveLength(1);
  });

  it('applies to the contract of a command, not to releases', async () => {
    const given = ['--overlay', 'hide.yaml'];
    expect(await project.run('release', 'openapi.yaml')).toMatchObject({ status: 0 });
    const { out } = await project.run('changelog', ...given);
    expect(out).toContain('/robots');
    expect((await project.run('diff', '1.0.0', 'openapi.yaml', ...given)).out).toContain('/robots');
    expect((await project.run('diff', 'openapi.yaml', 'openapi.yaml', ...given)).status).toBe(1);
    expect((await project.run('diff', '1.0.0', 'openapi.yaml')).status).toBe(0);
    const released = await project.run('release', 'openapi.yaml', 'other', '--no-client', ...given);
    expect(released).toMatchObject({ status: 0 });
    expect(project.read('other/1.0.0.yaml')).not.toContain('/robots');
  });
});

describe('the overlays of stubwright.yaml', () => {
  /** Applied twice it would remove both. */
  const FIRST = overlayOf("  - target: $.paths['/toys'].get.parameters[0]\n    remove: true\n");
  const PARAMETERS = `parameters:
        - {name: first, in: query, schema: {type: string}}
        - {name: second, in: query, schema: {type: string}}`;
  const SETTINGS = 'overlays: [first.yaml]\n';
  const commitAll = () => {
    project.git('init', '-q');
    project.git('add', '.');
    project.git('commit', '-qm', 'Toys');
  };
  let project: ToyProject;
  beforeEach(() => {
    project = createEmptyProject();
    const contract = CONTRACT.replace("version: '1'", 'version: 1.0.0');
    project.write('openapi.yaml', contract.replace('tags: [toys]', PARAMETERS));
    project.write('first.yaml', FIRST);
    project.write('hide.yaml', HIDE);
  });
  afterEach(() => project.remove());

  it.each(['test/released', 'other'])('do not apply again to a release in %s', async (folder) => {
    project.write('stubwright.yaml', SETTINGS);
    expect(await project.run('release', 'openapi.yaml', folder)).toMatchObject({ status: 0 });
    const first = project.read(`${folder}/1.0.0.yaml`);
    expect(first.match(/name: second/g)).toHaveLength(2);
    expect(first.match(/name: first/g)).toHaveLength(1);
    const changed = project.read('openapi.yaml').replace('version: 1.0.0', 'version: 1.1.0');
    project.write('openapi.yaml', changed);
    expect(await project.run('release', 'openapi.yaml', folder)).toMatchObject({ status: 0 });
    const changes = project.read(`${folder}/1.1.0.client/CHANGELOG.md`);
    expect(changes).not.toContain('parameter');
    if (folder === 'other') return;
    for (const args of [['diff'], ['diff', '1.0.0', '1.1.0'], ['changelog']] as const) {
      const [name, ...rest] = args;
      expect((await project.run(name, ...rest)).out).not.toMatch(/parameter/);
    }
    expect((await project.run('bundle', 'test/released/1.0.0.yaml')).out).toBe(first);
  });

  it.each(['stubwright.yaml', 'first.yaml'])(
    'belong to the files of a bundle: %s',
    async (file) => {
      project.write('stubwright.yaml', SETTINGS);
      await project.run('generate');
      const loaded = () =>
        loadContract(`${project.path}/generated/contract.json`, { isMocked: false });
      await expect(loaded()).resolves.toBeDefined();
      project.write(file, `${project.read(file)}# changed\n`);
      await expect(loaded()).rejects.toThrow(`${file}  expected the same`);
    },
  );

  it.each([
    ['of a folder above', 'apis/a', 'apis/stubwright.yaml', 'overlays: [../hide.yaml]\n'],
    ['of its folder', 'apis/a', 'apis/a/stubwright.yaml', 'overlays: [../../hide.yaml]\n'],
  ])('%s are compared, if the contracts have the same bytes', async (_, folder, file, settings) => {
    const contract = project.read('openapi.yaml');
    project.write(`${folder}/openapi.yaml`, contract);
    project.write(file, settings);
    commitAll();
    const forth = await project.run('diff', 'openapi.yaml', `${folder}/openapi.yaml`);
    expect(forth).toMatchObject({ status: 1, out: expect.stringContaining('/robots') });
    const back = await project.run('diff', `${folder}/openapi.yaml`, 'openapi.yaml');
    expect(back.out).toContain('/robots');
  });

  it('of a revision are compared, if the contracts have the same bytes', async () => {
    commitAll();
    project.write('stubwright.yaml', 'overlays: [hide.yaml]\n');
    expect((await project.run('diff', 'HEAD')).out).toContain('/robots');
    commitAll();
    expect((await project.run('diff', 'HEAD')).out).not.toContain('/robots');
    project.write('stubwright.yaml', 'overlays: []\n');
    expect((await project.run('diff', 'HEAD')).out).toContain('/robots');
    rmSync(`${project.path}/stubwright.yaml`);
    expect((await project.run('diff', 'HEAD')).out).toContain('/robots');
  });

  it('cannot be read from a folder', async () => {
    project.write('stubwright.yaml/a', '');
    expect(await project.run('check')).toMatchObject({
      ...{ status: 1, out: expect.stringContaining('stubwright.yaml:1:1  it is a folder') },
    });
  });
});
