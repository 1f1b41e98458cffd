// Requests to the fleet, with rivals: adds, moves, removals and transfers.
import { request } from 'node:http';
import { TOKEN } from '../support/service.ts';
import type { Workload } from '../support/workload.ts';
import { checkFleet } from './history.ts';
import { type FleetStep, isRemoved, PLATE_RIVALS } from './steps.ts';

/** Eight requests for each vehicle, those that need it some time after its add. */
export function fleetWorkload(firstId = 0): Workload<FleetStep> {
  return {
    tables: ['vehicle', 'transfer'],
    step: (turn) => stepOf(turn >> 3, turn & 7, firstId),
    send,
    isOutcome: (status) => [200, 204, 404, 409].includes(status),
    check: checkFleet,
    retries: ({ vehicle = [] }) =>
      vehicle.map(({ id, plate }) => [
        { kind: 'add', id: Number(id), plate: String(plate) },
        { kind: 'add', id: Number(id), plate: `rival 9 for ${id}` },
      ]),
  };
}

function stepOf(at: number, rival: number, firstId: number): FleetStep {
  const id = firstId + at;
  const plate = `rival ${rival} for ${id}`;
  const add: FleetStep = { kind: 'add', id, plate };
  if (rival < 2) return add;
  if (rival === 2) {
    return { kind: 'add', id: PLATE_RIVALS + id, plate: `rival 0 for ${id}` };
  }
  // Without vehicles that were added long before.
  if (at < 24) return { ...add, plate: `rival ${rival} for ${id}` };
  const [recent, old] = [id - 8, id - 16];
  if (rival < 5) return { kind: 'move', id: recent, version: 1, place: `rival ${rival}` };
  if (rival === 5) {
    return isRemoved(old)
      ? { kind: 'remove', id: old }
      : { kind: 'move', id: old, version: 2, place: 'rival 5' };
  }
  const source = id - 16 - ((id - 16) % 3) + 1;
  return { kind: 'transfer', id, source, target: source + 1, amount: rival - 5 };
}

const ROUTES = {
  add: () => ['POST', '/vehicles'],
  move: (id: number) => ['PUT', `/vehicles/${id}`],
  remove: (id: number) => ['DELETE', `/vehicles/${id}`],
  transfer: () => ['POST', '/transfers'],
} as const;

function bodyOf(step: FleetStep): object | undefined {
  if (step.kind === 'add') return { id: step.id, plate: step.plate, place: 'depot' };
  if (step.kind === 'move') return { version: step.version, place: step.place };
  if (step.kind === 'remove') return undefined;
  const { id, source, target, amount } = step;
  return { id, source, target, amount };
}

function send(url: string, step: FleetStep): ReturnType<Workload['send']> {
  const [method, path] = ROUTES[step.kind](step.id);
  const body = bodyOf(step);
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent: false }, (incoming) => {
      incoming.resume().on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode!, headers: incoming.headers }),
      );
    });
    outgoing.on('error', reject).end(body && JSON.stringify(body));
  });
}
