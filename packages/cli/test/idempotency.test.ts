// Idempotency keys in `stubwright check`.
import { describe, expect, it } from '@jest/globals';
import { createEmptyProject } from './support/toyProject.ts';

/** @returns the output of `check` for a contract whose operation has this header */
async function checked(mark: string): Promise<{ status: number | null; out: string }> {
  const project = createEmptyProject();
  project.write(
    'openapi.yaml',
    `openapi: 3.1.0
info: { title: Toys, version: 1.0.0 }
paths:
  /toys:
    post:
      operationId: addToy
      parameters:
        - name: Idempotency-Key
          in: header
          x-idempotency: ${mark}
          schema: { type: string }
      responses:
        "201": { description: added }
        "400": { description: no }
        "500": { description: no }
        "503": { description: no }
`,
  );
  const { status, out } = await project.run('check');
  project.remove();
  return { status, out };
}

describe('stubwright check', () => {
  it('reports the form of x-idempotency where it is', async () => {
    const { status, out } = await checked('{ ttl: a day }');
    expect(status).toBe(1);
    expect(out).toContain(
      'openapi.yaml:10:28  x-idempotency ttl: got "a day", expected a time from 1s to 365d, such as 30s, 15m, 24h or 7d  (idempotency)',
    );
  });

  it('reports the errors of keys that the contract does not declare', async () => {
    const { status, out } = await checked('{ ttl: 24h }');
    expect(status).toBe(0);
    expect(out).toContain('addToy: the engine may send 409, 422, expected declared responses');
  });
});
