// Strings of a hostile contract in the output of every command that prints them.
import { afterAll, describe, expect, it } from '@jest/globals';
import { createEmptyProject } from './support/toyProject.ts';

const HOSTILE =
  'x\u001b[31m\n::error::injected\r##[error]y\u009b2J\u2028\u202e\u0000\n# Title `z` |';

/** @param max a value that differs between the two contracts */
function contract(max: number): string {
  const schema = { type: 'string', maxLength: max, title: HOSTILE, enum: [HOSTILE, `${max}`] };
  const parameter = { name: HOSTILE, in: 'query', schema: { type: 'integer', maximum: max } };
  const operation = (id: string) => ({
    operationId: id,
    summary: HOSTILE,
    tags: [HOSTILE],
    parameters: [parameter],
    responses: {
      200: {
        description: HOSTILE,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } },
      },
    },
  });
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: HOSTILE, version: `${max}${HOSTILE}` },
    paths: {
      [`/toys${HOSTILE}`]: { get: operation(`list${HOSTILE}`) },
      [`/toys/${max}`]: { get: operation('added') },
    },
    components: { schemas: { Toy: schema } },
    'x-extension': HOSTILE,
  });
}

describe('the output for a hostile contract', () => {
  const project = createEmptyProject();
  project.write('old.json', contract(9));
  project.write('openapi.json', contract(8));
  afterAll(() => project.remove());

  const commands = [
    ...['text', 'json', 'github', 'sarif', 'junit'].flatMap((format) => [
      ['check', 'openapi.json', '--format', format],
      ['diff', 'old.json', 'openapi.json', '--format', format],
    ]),
    ['changelog', 'openapi.json', '--from', 'old.json'],
    ['generate', 'openapi.json'],
    ['check', `openapi.json${HOSTILE.replace('\0', '')}`],
  ];

  it.each(commands)(
    'has no control characters and no workflow commands: %s %s %s %s',
    async (...args) => {
      const [command, ...rest] = args.filter((each) => each !== undefined) as [string, ...string[]];
      const { out, err } = await project.run(command, ...rest);
      const output = out + err;
      if (['check', 'diff'].includes(command) && rest[1] === '--format')
        expect(output).toContain('injected');
      expect(output).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\u2029\u202e]/u);
      const own = /^::(?:error|warning|notice) [^:]*::/;
      const lines = output.split('\n').filter((line) => /^\s*(?:::|##\[)/.test(line));
      expect(lines.filter((line) => !(rest.includes('github') && own.test(line)))).toEqual([]);
    },
  );

  it('starts no section of a changelog', async () => {
    const { out } = await project.run('changelog', 'openapi.json', '--from', 'old.json');
    const headings = out.split('\n').filter((line) => line.startsWith('# '));
    expect(headings).toHaveLength(1);
  });
});
