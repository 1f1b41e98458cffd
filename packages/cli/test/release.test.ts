// `make release`, as a process in a temporary project.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEmptyProject, createToyProject, type ToyProject } from './support/toyProject.ts';

let project: ToyProject;

beforeEach(() => {
  project = createToyProject();
});
afterEach(() => project.remove());

/** Releases the contract with replaced strings. */
function release(...replaced: [string, string][]) {
  let text = project.read('test/released/1.0.0.yaml');
  for (const [from, to] of replaced) text = text.replace(from, to);
  project.write('openapi.yaml', text);
  return { ...project.run('release'), text };
}

const NEXT: [string, string] = ['version: 1.0.0', 'version: 1.1.0'];
const HEALTH = `paths:
  /health:
    get:
      operationId: getHealth
      responses: { '204': { description: well } }`;

describe('make release', () => {
  it('stores the contract, its requests, and one of each new operation after a create', () => {
    const { status, text } = release(NEXT, ['paths:', HEALTH]);
    expect(status).toBe(0);
    expect(project.read('test/released/1.1.0.yaml')).toBe(text);
    const requests = (version: string) =>
      JSON.parse(project.read(`test/released/${version}.requests.json`));
    expect(requests('1.1.0')).toEqual([
      ...requests('1.0.0'),
      {
        name: 'getHealth as documented',
        requests: [
          expect.objectContaining({ operationId: 'storeToy', path: '/toys', status: 200 }),
          {
            operationId: 'getHealth',
            method: 'get',
            path: '/health',
            headers: { Authorization: 'Bearer TOKEN' },
            status: 204,
            isUntyped: false,
          },
        ],
      },
    ]);
  });

  it('stores the first release', () => {
    const empty = createEmptyProject([]);
    try {
      const { status, out } = empty.run('release');
      expect(out).toMatch(/^test\/released\/1\.0\.0\.yaml: \d+ conversations in /);
      expect(status).toBe(0);
      expect(empty.read('test/released/1.0.0.yaml')).toBe(empty.read('openapi.yaml'));
      expect(JSON.parse(empty.read('test/released/1.0.0.requests.json'))).not.toEqual([]);
    } finally {
      empty.remove();
    }
  });

  it('rejects a version that is already released', () => {
    const { status, err } = release();
    expect(err).toMatch(/^1\.0\.0 is released already: expected another info\.version in /);
    expect(status).toBe(1);
  });

  it('rejects a breaking change without a new major version', () => {
    const { status, err } = release(NEXT, ['required: [name]', 'required: [name, tag]']);
    expect(err).toBe('1 breaking change since 1.0.0: expected none, or info.version 2.0.0\n');
    expect(status).toBe(1);
  });
});
