// The bench of the engine: every contender does the work, and the tables name them and the steps.
import { describe, expect, it } from '@jest/globals';
import {
  BODIES,
  floorContender,
  openapiBackendContender,
  oursContender,
  RESPONSE_BODY,
} from '../../bench/engine/contenders.ts';
import { compare, measureSteps } from '../../bench/engine/measure.ts';

const ONCE = { rounds: 1, warmupRounds: 0, requests: 2 };
const invalid = Buffer.from('{"id":"1","name":"Monstera deliciosa"}');

describe('the contenders', () => {
  it('return the plant', async () => {
    const contenders = [floorContender(), await oursContender(), await openapiBackendContender()];
    for (const { handle } of contenders) {
      expect(await handle(BODIES[0]!)).toMatchObject({ status: 200, body: RESPONSE_BODY });
    }
  });

  it('validate the body', async () => {
    const [ours, theirs] = [await oursContender(), await openapiBackendContender()];
    expect(await ours.handle(invalid)).toMatchObject({ status: 400 });
    await expect(theirs.handle(invalid)).rejects.toThrow('must be integer');
    expect(() => floorContender().handle(invalid)).toThrow('must be integer');
  });
});

it('compares this project with the floor and with openapi-backend', async () => {
  const { table, ours } = await compare(ONCE);
  expect(table).toMatch(/^\| JSON\.parse \+ Ajv .*\n\| this project .*\n\| openapi-backend/m);
  expect(ours).toBeGreaterThanOrEqual(0);
});

it('lists the steps of this project, with the rest of the total', async () => {
  const table = await measureSteps(ONCE, 1000);
  const costs = [...table.matchAll(/^\| ([^|]+) \| (-?[\d.]+) \|$/gm)];
  expect(costs.map(([, label]) => label)).toEqual([
    ...['create the exchange', 'route', 'authenticate, without a digest of the token'],
    ...['media type, read the body', 'parse JSON exactly', 'validate', 'coerce: id to bigint'],
    ...['handler', 'validate the reply', 'serialize'],
    ...["openapi-backend's handleRequest with empty steps", 'the rest: the total minus all steps'],
  ]);
  const total = costs.reduce((sum, [, , cost]) => sum + Number(cost), 0);
  expect(total).toBeCloseTo(1000, 0);
});
