// The formats of check and diff, read as their consumers read them; exit codes.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { Finding } from '@stubwright/contract';
import { type FindingFormat, findingsAs } from '@stubwright/contract/formats';
import { codePoint } from '@stubwright/test-support/codePoint';
import { Ajv } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { runCommand } from './support/command.ts';
import { createRepository } from './support/toyProject.ts';

jest.setTimeout(600_000);

/** sarif-2.1.0-rtm.5.json of the package @microsoft/jest-sarif 1.0.0-beta.0, without changes. */
const SCHEMA = 'packages/cli/test/support/sarif-2.1.0.json';

const HOSTILE = 'a%b\r\nc:d,e "f" \'g\' <h> & ]]> \0\x07\x1b[31m\u2028\ud800 日本 💥';
const FINDINGS: Finding[] = [
  {
    level: 'error',
    rule: 'first/rule',
    message: HOSTILE,
    position: { file: 'a b/c:d,e%.yaml', line: 3, column: 7 },
  },
  { level: 'warning', rule: 'second', message: 'x\ny', position: undefined },
  { level: 'note', rule: HOSTILE, message: '', position: { file: 'x.yaml', line: 1, column: 1 } },
  { level: 'error', rule: 'first/rule', message: 'again', position: undefined },
];

const anyFinding: fc.Arbitrary<Finding> = fc.record({
  level: fc.constantFrom('error', 'warning', 'note'),
  rule: fc.string({ unit: codePoint, minLength: 1 }),
  message: fc.string({ unit: codePoint, minLength: 1 }),
  position: fc.option(
    fc.record({
      file: fc.string({ unit: 'grapheme', minLength: 1 }),
      line: fc.integer({ min: 1, max: 99 }),
      column: fc.integer({ min: 1, max: 99 }),
    }),
    { nil: undefined },
  ),
});

function sarifErrors(text: string): unknown {
  const { $schema, id, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }));
  validateSarif ??= ajv.compile(schema);
  return validateSarif(JSON.parse(text)) ? [] : validateSarif.errors;
}
let validateSarif: ReturnType<Ajv['compile']> | undefined;

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
  readonly children: Element[];
}

/** @throws {Error} if it is not well-formed */
function parseXml(text: string): Element {
  const parser = new SaxesParser();
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: { ...attributes }, text: '', children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (part) => {
    open.at(-1)!.text += part;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root.children[0]!;
}

describe('--format sarif', () => {
  it('is valid SARIF 2.1.0 with levels, rules and locations', () => {
    const text = findingsAs('sarif', FINDINGS, { command: 'check' });
    expect(sarifErrors(text)).toEqual([]);
    const [run] = JSON.parse(text).runs;
    expect(run.results.map((each: { level: string }) => each.level)).toEqual(
      FINDINGS.map(({ level }) => level),
    );
    for (const { ruleId, ruleIndex } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    }
    expect(run.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20b/c%3Ad%2Ce%25.yaml' },
      region: { startLine: 3, startColumn: 7 },
    });
  });

  it('is valid without findings', () => {
    expect(sarifErrors(findingsAs('sarif', [], { command: 'check' }))).toEqual([]);
  });

  it('is valid for any finding', () => {
    fc.assert(
      fc.property(fc.array(anyFinding), (findings) => {
        expect(sarifErrors(findingsAs('sarif', findings, { command: 'check' }))).toEqual([]);
      }),
    );
  });

  it('has a schema that finds errors', () => {
    expect(sarifErrors('{"version": "2.1.0", "runs": [{}]}')).not.toEqual([]);
  });
});

describe('--format github', () => {
  it('writes the documented annotations with escapes', () => {
    const lines = findingsAs('github', FINDINGS, { command: 'check' }).split('\n');
    expect(lines[0]).toMatch(
      /^::error file=a b\/c%3Ad%2Ce%25\.yaml,line=3,col=7,title=first\/rule::a%25b%0D%0Ac:d,e "f" /,
    );
    expect(lines[1]).toBe('::warning title=second::x%0Ay');
    expect(lines[2]).toMatch(
      /^::notice file=x\.yaml,line=1,col=1,title=a%25b%0D%0Ac%3Ad%2Ce .*::$/s,
    );
    expect(lines).toHaveLength(FINDINGS.length + 1);
  });

  it('reads as it was written, by the rules of the runner', () => {
    fc.assert(
      fc.property(anyFinding, (finding) => {
        const read = readAnnotation(
          findingsAs('github', [finding], { command: 'check' }).slice(0, -1),
        );
        const { file, line, column } = finding.position ?? {};
        const command = { error: 'error', warning: 'warning', note: 'notice' }[finding.level];
        expect(read).toEqual({
          command,
          message: shown(finding.message),
          properties: {
            title: shown(finding.rule),
            ...(file !== undefined && {
              file: shown(file),
              line: String(line),
              col: String(column),
            }),
          },
        });
      }),
    );
  });

  it('is empty without findings', () =>
    expect(findingsAs('github', [], { command: 'check' })).toBe(''));
});

/** Control characters as escapes, which a log does not interpret. */
function shown(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\r\t]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** As the runner does: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs */
function readAnnotation(line: string) {
  const end = line.indexOf('::', 2);
  const [command, ...rest] = line.slice(2, end).split(' ');
  const unescaped = (text: string, isProperty: boolean) => {
    const data = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
    const all = isProperty ? data.replaceAll('%3A', ':').replaceAll('%2C', ',') : data;
    return all.replaceAll('%25', '%');
  };
  const properties = rest
    .join(' ')
    .split(',')
    .map((each) => {
      const at = each.indexOf('=');
      return [each.slice(0, at), unescaped(each.slice(at + 1), true)];
    });
  const message = unescaped(line.slice(end + 2), false);
  return { command, message, properties: Object.fromEntries(properties) };
}

describe('--format junit', () => {
  it('is well-formed XML with a test case for each finding, and failures for errors', () => {
    const root = parseXml(findingsAs('junit', FINDINGS, { command: 'check' }));
    expect(root).toMatchObject({ name: 'testsuites', attributes: { tests: '4', failures: '2' } });
    const [suite] = root.children;
    expect(suite).toMatchObject({ name: 'testsuite', attributes: { tests: '4', failures: '2' } });
    const kinds = suite!.children.map(({ name, children: [result] }) => [name, result?.name]);
    expect(kinds).toEqual([
      ['testcase', 'failure'],
      ['testcase', 'system-out'],
      ['testcase', 'system-out'],
      ['testcase', 'failure'],
    ]);
    const { attributes } = suite!.children[0]!.children[0]!;
    expect(attributes['message']).toMatch(/^a%b\r\nc:d,e "f" 'g' <h> & \]\]> ��/);
  });

  it('has one passed test case without findings', () => {
    const [suite] = parseXml(findingsAs('junit', [], { command: 'check' })).children;
    expect(suite!.attributes).toMatchObject({ tests: '1', failures: '0' });
    expect(suite!.children).toMatchObject([{ name: 'testcase', children: [] }]);
  });

  it('is well-formed for any finding, as UTF-8', () => {
    fc.assert(
      fc.property(fc.array(anyFinding), (findings) => {
        const text = Buffer.from(findingsAs('junit', findings, { command: 'check' })).toString();
        const [suite] = parseXml(text).children;
        expect(suite!.children).toHaveLength(Math.max(1, findings.length));
      }),
    );
  });
});

describe('the commands', () => {
  const project = createRepository();
  const released = project.read('test/released/1.0.0.yaml');
  project.write('released.yaml', released);
  project.write(
    'breaking.yaml',
    released.replace('required: [name]', 'required: [name, tag]').replace('title: ', 'title: New '),
  );
  project.write('invalid.yaml', released.replace('type: string', 'type: strin'));
  afterAll(() => project.remove());

  const FORMATS: FindingFormat[] = ['github', 'sarif', 'junit'];
  const NEVER_ESCAPES = /^[^\x1b]*$/;

  it.each(FORMATS)('diff and check print valid %s, and never colours', async (format) => {
    const runs: [args: [string, ...string[]], status: number][] = [
      [['diff', 'released.yaml', 'breaking.yaml'], 1],
      [['diff', 'released.yaml'], 0],
      [['check', 'invalid.yaml'], 1],
    ];
    for (const [args, status] of runs) {
      const run = await project.run(...args, '--format', format);
      expect([args, run.status]).toEqual([args, status]);
      expect(run.out).toMatch(NEVER_ESCAPES);
      if (format === 'sarif') expect(sarifErrors(run.out)).toEqual([]);
      if (format === 'junit') parseXml(run.out);
      if (format === 'github') {
        for (const line of run.out.split('\n').slice(0, -1)) {
          expect(line).toMatch(/^::(?:error|warning|notice) (?:[a-z]+=[^,:]*,?)+::./);
        }
      }
    }
  });

  it('names files relative to the checkout of GitHub Actions', async () => {
    const env = { GITHUB_WORKSPACE: join(project.path, '..') };
    const folder = basename(project.path);
    const run = (...args: string[]) => runCommand(args, { cwd: project.path, env });
    for (const args of [
      ['diff', 'released.yaml', 'breaking.yaml'],
      ['check', 'invalid.yaml'],
    ]) {
      const annotations = await run(...args, '--format', 'github');
      const files = [...annotations.out.matchAll(/ file=([^,]+),/g)].map(([, file]) => file!);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(file).toBe(`${folder}/${args.at(-1)}`);
      const { runs } = JSON.parse((await run(...args, '--format', 'sarif')).out);
      const [{ physicalLocation }] = runs[0].results[0].locations;
      expect(physicalLocation.artifactLocation.uri).toBe(`${folder}/${args.at(-1)}`);
      // Other formats are read in the folder.
      expect((await run(...args)).out).not.toContain(`${folder}/`);
    }
  });

  it('diff --format json without changes has the severity none', async () => {
    const { out } = await project.run('diff', 'released.yaml', '--format', 'json');
    expect(JSON.parse(out)).toEqual({ severity: 'none', changes: [] });
  });
});
