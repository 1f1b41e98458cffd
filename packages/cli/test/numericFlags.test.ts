// Numeric flags of all commands: a value out of the range is refused with the name of the flag.
import { describe, expect, it } from '@jest/globals';
import { runCommand } from './support/command.ts';

const TOYS = 'packages/test-support/toys.yaml';

/** The placeholders of flags with text. */
const TEXT = `
base by client database date dir file folder format header host level library manager module name path
policy runner runtime seed severity token type url version
`.split(/\s+/);

const BAD = ['NaN', 'Infinity', '-1', '1.5', '1e3', '0x10', 'one', '', ' 1', '9'.repeat(400)];

const { out: help } = await runCommand(['--help']);
const commands = [...help.matchAll(/^ {2}([\w-]+) \[options\]/gm)].map(([, name]) => name!);
const flags: [command: string, flag: string][] = [];
/** The commands, arguments and options of the help. */
const entries = [...help.matchAll(/^ {2}\w.*$/gm)];
for (const command of commands) {
  const { out } = await runCommand([command, '--help']);
  entries.push(...out.matchAll(/^ {2}[\w-].*$/gm));
  // The help lists no arguments of which none has a description.
  if (/^Usage:.*\] [[<]/.test(out)) expect(out).toContain('\nArguments:\n');
  for (const [, flag, placeholder] of out.matchAll(/^ +(?:-\w, )?(--[\w-]+) <(\w+)>/gm)) {
    if (!TEXT.includes(placeholder!)) flags.push([command, flag!]);
  }
}

it('describes each entry of the help', () => {
  expect(entries.length).toBeGreaterThan(100);
  const isDescribed = /^ {2}\S.*? {2,}[a-zA-Z']/;
  expect(entries.map(([line]) => line).filter((line) => !isDescribed.test(line))).toEqual([]);
});

it('finds the flags of the help', () => {
  expect(flags.map((each) => each.join(' '))).toEqual(
    expect.arrayContaining(['check --max-warnings', 'proxy --port', 'mock --items']),
  );
});

describe('an invalid number is refused for', () => {
  it.each(flags)('%s %s', async (command, flag) => {
    const operands = command === 'proxy' ? [TOYS, 'http://127.0.0.1:1'] : [];

    for (const value of BAD) {
      const { status, err } = await runCommand([command, `${flag}=${value}`, ...operands]);
      expect([value, status, err]).toEqual([
        value,
        expect.any(Number),
        expect.stringContaining(flag),
      ]);
      expect([value, status]).not.toEqual([value, 0]);
      expect(err).toContain('expected');
    }
  });
});
