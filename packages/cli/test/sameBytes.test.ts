// Two contracts with the same bytes are not read: the reports are those of contracts without changes.
import { afterAll, describe, expect, it } from '@jest/globals';
import { createRepository } from './support/toyProject.ts';

/** A contract that cannot be read: what reports no changes of it has not read it. */
const UNREADABLE = 'openapi: {{\n';

const project = createRepository();
const text = project.read('openapi.yaml');
for (const file of ['one.yaml', 'two.yaml']) project.write(file, text);
project.write('three.yaml', `${text}\n`);
for (const file of ['bad/one.yaml', 'bad/two.yaml']) project.write(file, UNREADABLE);
afterAll(() => project.remove());

const FORMATS = ['text', 'json', 'github', 'sarif', 'junit', 'markdown'];

describe('two contracts with the same bytes', () => {
  it.each(FORMATS)('have the report of two equal contracts as %s', async (format) => {
    const same = await project.run('diff', 'one.yaml', 'two.yaml', '--format', format);
    const read = await project.run('diff', 'one.yaml', 'three.yaml', '--format', format);
    expect(same).toEqual({ ...read, out: read.out.replaceAll('three.yaml', 'two.yaml') });
    expect(same.status).toBe(0);
  });

  it('have no text with --check', async () => {
    expect(await project.run('diff', 'one.yaml', 'two.yaml', '--check')).toMatchObject({
      ...{ status: 0, out: '', err: '' },
    });
  });

  it('are not read', async () => {
    const { status, out } = await project.run('diff', 'bad/one.yaml', 'bad/two.yaml');
    expect([status, out]).toEqual([
      0,
      'bad/two.yaml since bad/one.yaml: 0 breaking, 0 risky, 0 compatible\n',
    ]);
  });

  it.each(['HEAD', 'HEAD:openapi.yaml', '1.0.0'])('may be in %s', async (base) => {
    const read = await project.run('diff', base, 'three.yaml');
    const same = await project.run('diff', base);
    if (base === 'HEAD') expect(same.out).toContain('openapi.yaml since HEAD:openapi.yaml: 0');
    else expect(same.out).toBe(read.out.replace('three.yaml', 'openapi.yaml'));
  });
});

describe('contracts with the same bytes are read', () => {
  const expectError = async (text: string, message: string) => {
    for (const file of ['bad/three.yaml', 'bad/four.yaml']) project.write(file, text);
    const { status, err } = await project.run('diff', 'bad/three.yaml', 'bad/four.yaml');
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  };

  it.each([
    "$ref: 'other.yaml'",
    '"$ref": other.yaml',
    '$ref: >-\n    #/a',
    '"\\u0024ref": a.yaml',
  ])('if they may refer to another file by %j', async (reference) => {
    await expectError(`${UNREADABLE}a: {${reference}}\n`, 'bad/four.yaml');
  });

  it('with a policy, which may have warnings', async () => {
    project.write('compatibility.yaml', 'severities: {nope: risky}');
    const { status, err } = await project.run('diff', 'one.yaml', 'two.yaml');
    expect([status, err]).toEqual([2, expect.stringContaining('got "nope"')]);
    project.write('compatibility.yaml', '');
  });

  it('if the base is a file and a revision', async () => {
    project.git('branch', 'one.yaml');
    const { status, err } = await project.run('diff', 'one.yaml', 'two.yaml');
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('which is a file and a git revision'),
    ]);
    project.git('branch', '-D', 'one.yaml');
  });

  it('if there are none', async () => {
    const { status } = await project.run('diff', 'none.yaml', 'none.yaml');
    expect(status).toBe(2);
  });
});
