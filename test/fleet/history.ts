// Compares the answers of the fleet with the rows that are stored in the end.
import type { Findings } from '../support/history.ts';
import type { SentStep, Tables } from '../support/workload.ts';
import { type FleetStep, isRemoved, PLATE_RIVALS } from './steps.ts';

type Sent<Kind> = Extract<FleetStep, { kind: Kind }> & SentStep;
type Attempts = readonly (FleetStep & SentStep)[];

const STATUSES = [0, 200, 204, 404, 409, 503];
const INITIAL_LOAD = 100;

interface Vehicle {
  readonly plate: string;
  readonly place: string;
  readonly version: number;
  readonly load: number;
}

/** What is stored, and what was sent, by id. */
class FleetHistory {
  readonly lost: string[] = [];
  readonly false: string[] = [];
  readonly vehicles: ReadonlyMap<number, Vehicle>;
  readonly transfers: ReadonlyMap<number, { source: number; target: number; amount: number }>;
  readonly #attempts: Attempts;

  constructor(attempts: Attempts, { vehicle = [], transfer = [] }: Tables) {
    this.#attempts = attempts;
    this.vehicles = new Map(
      vehicle.map(({ id, plate, place, version, load }) => [
        Number(id),
        { plate: `${plate}`, place: `${place}`, version: Number(version), load: Number(load) },
      ]),
    );
    this.transfers = new Map(
      transfer.map(({ id, source, target, amount }) => [
        Number(id),
        { source: Number(source), target: Number(target), amount: Number(amount) },
      ]),
    );
  }

  of<Kind extends FleetStep['kind']>(kind: Kind): Sent<Kind>[] {
    return this.#attempts.filter((each): each is Sent<Kind> => each.kind === kind);
  }

  checkStatuses(): void {
    for (const each of this.#attempts) {
      if (!STATUSES.includes(each.status)) this.false.push(`${each.status} for ${text(each)}`);
    }
  }

  /** One vehicle per plate, one plate per vehicle, and nothing that was not sent. */
  checkAdds(): void {
    const adds = this.of('add');
    const plates = new Map<string, number>();
    const stored = new Set([...this.vehicles.values()].map(({ plate }) => plate));
    for (const add of adds) {
      const vehicle = this.vehicles.get(add.id);
      if (add.status === 200) {
        if (vehicle?.plate !== add.plate && !mayBeRemoved(add.id)) this.lost.push(text(add));
        if ((plates.get(add.plate) ?? add.id) !== add.id && !mayBeRemoved(add.id)) {
          this.false.push(`two vehicles for ${text(add)}`);
        }
        plates.set(add.plate, add.id);
      }
      if (add.status !== 409 || mayBeRemoved(add.id)) continue;
      const isTaken = vehicle !== undefined || stored.has(add.plate);
      if (!isTaken || vehicle?.plate === add.plate) this.false.push(`409 for ${text(add)}`);
    }
    const sent = new Set(adds.map(({ id, plate }) => `${id} ${plate}`));
    for (const [id, { plate }] of this.vehicles) {
      if (!sent.has(`${id} ${plate}`)) this.false.push(`${id} ${plate} was never sent`);
    }
  }

  /** One place per version; each version follows from a move of the one before. */
  checkMoves(): void {
    const places = new Map<string, string>();
    const sent = new Map<string, string[]>();
    for (const move of this.of('move')) {
      const key = `${move.id} ${move.version}`;
      sent.set(key, [...(sent.get(key) ?? []), move.place]);
      if (mayBeRemoved(move.id)) continue;
      const now = this.vehicles.get(move.id);
      if (move.status === 200) {
        if ((places.get(key) ?? move.place) !== move.place)
          this.false.push(`200 for ${text(move)}`);
        places.set(key, move.place);
        const isNow = now?.version === move.version + 1;
        if (
          now === undefined ||
          now.version <= move.version ||
          (isNow && now.place !== move.place)
        ) {
          this.lost.push(text(move));
        }
      }
      const isLater = now !== undefined && now.version > move.version;
      if (move.status === 409 && !isLater && (move.version === 1 || this.#wasReached(move))) {
        this.false.push(`409 for ${text(move)}`);
      }
      if (move.status === 404 && this.#wasAdded(move)) this.false.push(`404 for ${text(move)}`);
    }
    for (const [id, { version, place }] of this.vehicles) {
      for (let before = 1; before < version; before++) {
        const moves = sent.get(`${id} ${before}`) ?? [];
        const isSent = before + 1 < version ? moves.length > 0 : moves.includes(place);
        if (!isSent) this.false.push(`version ${before + 1} of ${id} was never sent`);
      }
    }
  }

  /** A vehicle is there only if an add may have run after its removal. */
  checkRemovals(): void {
    const adds = this.of('add');
    for (const { id, status, sentAt = 0 } of this.of('remove')) {
      if (status !== 204) continue;
      const mayBeLater = adds.some(
        (add) => add.id === id && (![200, 409].includes(add.status) || add.answeredAt! > sentAt),
      );
      if (this.vehicles.has(id) && !mayBeLater) this.lost.push(`removal of ${id}`);
    }
  }

  /** Each transfer is stored with both of its effects, or not at all. */
  checkTransfers(): void {
    const loads = new Map<number, number>();
    const add = (id: number, amount: number) => loads.set(id, (loads.get(id) ?? 0) + amount);
    for (const { source, target, amount } of this.transfers.values()) {
      add(source, -amount);
      add(target, amount);
    }
    for (const [id, { load }] of this.vehicles) {
      const expected = INITIAL_LOAD + (loads.get(id) ?? 0);
      if (load !== expected) this.lost.push(`the load of ${id} is ${load}, not ${expected}`);
    }
    for (const sent of this.of('transfer')) {
      const stored = this.transfers.get(sent.id);
      if (sent.status === 200 && stored?.amount !== sent.amount) this.lost.push(text(sent));
      if (sent.status === 409 && (stored === undefined || stored.amount === sent.amount)) {
        this.false.push(`409 for ${text(sent)}`);
      }
    }
  }

  /** True if the vehicle had the version of a move before it was sent. */
  #wasReached({ id, version, sentAt = 0 }: Sent<'move'>): boolean {
    return this.of('move').some(
      (move) =>
        move.id === id &&
        move.version === version - 1 &&
        move.status === 200 &&
        (move.answeredAt ?? Infinity) < sentAt,
    );
  }

  #wasAdded({ id, sentAt = 0 }: Sent<'move'>): boolean {
    return this.of('add').some(
      (add) => add.id === id && add.status === 200 && (add.answeredAt ?? Infinity) < sentAt,
    );
  }
}

function mayBeRemoved(id: number): boolean {
  return isRemoved(id % PLATE_RIVALS);
}

function text({ status: _, sentAt: __, answeredAt: ___, ...step }: FleetStep & SentStep): string {
  return JSON.stringify(step);
}

export function checkFleet(attempts: Attempts, tables: Tables): Findings {
  const history = new FleetHistory(attempts, tables);
  history.checkStatuses();
  history.checkAdds();
  history.checkMoves();
  history.checkRemovals();
  history.checkTransfers();
  const { lost, false: falseAnswers } = history;
  return {
    acknowledged: attempts.filter(({ status }) => status === 200 || status === 204).length,
    lost: lost.length,
    falseAnswers: falseAnswers.length,
    violations: [...lost.map((each) => `lost: ${each}`), ...falseAnswers],
  };
}
