// A service that updates, deletes and transfers: the second user of @stubwright/store.
import {
  type Environment,
  readSettings,
  type ServiceOptions,
  type Settings,
} from '@stubwright/service';
import type { DataStore, StoreTransaction } from '@stubwright/store';
import {
  type DatabaseSettings,
  openServiceStore,
  readDatabaseSettings,
  storeProblem,
} from '@stubwright/store/service';
import { type DisposableContext, type HandlersOf, Problem, type RequestOutcome } from 'stubwright';
import type { operations } from './generated/contract.ts';
import { FLEET, type Vehicles, vehiclesIn } from './vehicles.ts';

interface Services {
  readonly store: DataStore;
  readonly vehicles: Vehicles;
}

/** Begins a transaction when a handler asks for it; it ends with the request. */
class FleetRequest implements DisposableContext {
  readonly vehicles: Vehicles;
  readonly #store: DataStore;
  #transaction: Promise<StoreTransaction> | undefined;

  constructor({ store, vehicles }: Services) {
    this.#store = store;
    this.vehicles = vehicles;
  }

  get transaction(): Promise<StoreTransaction> {
    this.#transaction ??= this.#store.begin();
    return this.#transaction;
  }

  async [Symbol.asyncDispose](outcome?: RequestOutcome): Promise<void> {
    const transaction = await this.#transaction?.catch(() => undefined);
    await transaction?.[Symbol.asyncDispose](outcome);
  }
}

const INITIAL_LOAD = 100n;

const handlers: HandlersOf<operations, FleetRequest> = {
  async addVehicle({ body }, { vehicles }) {
    const vehicle = { ...body, version: 1n, load: INITIAL_LOAD };
    const outcome = await vehicles.add(vehicle);
    if (outcome !== 'added') throw new Problem(409, outcome);
    return { status: 200, body: vehicle };
  },
  async getVehicle({ path: { id } }, { vehicles }) {
    const body = await vehicles.find(id);
    if (body === undefined) throw new Problem(404, `no vehicle ${id}`);
    return { status: 200, body };
  },
  async moveVehicle({ path: { id }, body }, { vehicles }) {
    const outcome = await vehicles.move({ id, ...body });
    if (outcome !== 'moved') throw new Problem(outcome === 'missing' ? 404 : 409, outcome);
    return { status: 200 };
  },
  async removeVehicle({ path: { id } }, { vehicles }) {
    const outcome = await vehicles.remove({ id });
    if (outcome !== 'removed') throw new Problem(outcome === 'missing' ? 404 : 409, outcome);
    return { status: 204 };
  },
  async transferLoad({ body: { id, source, target, amount } }, { transaction }) {
    const tx = await transaction;
    // In the order of the ids: two transfers do not wait for each other.
    const changes = [
      { vehicle: source, amount: -amount },
      { vehicle: target, amount },
    ].sort((one, other) => (one.vehicle < other.vehicle ? -1 : 1));
    for (const each of changes) {
      const locked = await tx.query('UPDATE vehicle SET load = load WHERE id = $1 RETURNING id', [
        each.vehicle,
      ]);
      if (locked.length === 0) throw new Problem(404, `no vehicle ${each.vehicle}`);
    }
    const inserted = await tx.query(
      `INSERT INTO transfer (id, source, target, amount) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, source, target, amount],
    );
    if (inserted.length === 0) {
      const [stored] = await tx.query<{ amount: bigint }>(
        'SELECT amount FROM transfer WHERE id = $1',
        [id],
      );
      if (stored?.amount !== amount) throw new Problem(409, `another transfer has the id ${id}`);
      return { status: 200 };
    }
    for (const each of changes) {
      await tx.query('UPDATE vehicle SET load = load + $2 WHERE id = $1 RETURNING id', [
        each.vehicle,
        each.amount,
      ]);
    }
    return { status: 200 };
  },
};

export const service = {
  handlers,
  readSettings: (env: Environment) => ({
    ...readSettings(env),
    ...readDatabaseSettings(env, 'sqlite:fleet.db'),
  }),
  verifiers: (verify) => ({ bearerAuth: verify }),
  async open(context) {
    const resources = await openServiceStore(context, FLEET);
    const { store } = resources;
    return { ...resources, services: { store, vehicles: vehiclesIn(store) } };
  },
  context: (_request, services) => new FleetRequest(services),
  toProblem: storeProblem,
} satisfies ServiceOptions<Services, Settings & DatabaseSettings, FleetRequest>;
