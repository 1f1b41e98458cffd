// The parcels in the database, within the transaction of one request.
import type { StoreTransaction } from '@stubwright/store';
import { type DisposableContext, Problem, type RequestOutcome } from 'stubwright';
import type { components } from '../generated/contract.ts';

type Parcel = components['schemas']['Parcel'];
type NewParcel = components['schemas']['NewParcel'];
type Scan = components['schemas']['Scan'];

interface ParcelRow extends Pick<Parcel, 'id' | 'service' | 'state'> {
  readonly given_name: string | null;
  readonly family_name: string;
  readonly grams: bigint;
  readonly note: string | null;
  readonly cancelled_for: string | null;
}

interface ScanRow extends Scan {
  readonly id: bigint;
  readonly at: string;
}

export class Parcels implements DisposableContext {
  readonly #transaction: StoreTransaction;

  constructor(transaction: StoreTransaction) {
    this.#transaction = transaction;
  }

  async add({ givenName, familyName, grams, service, note }: NewParcel): Promise<Parcel> {
    const [row] = await this.#transaction.query<ParcelRow>(
      `INSERT INTO parcels (given_name, family_name, grams, service, note, state)
       VALUES ($1, $2, $3, $4, $5, 'announced') RETURNING *`,
      [givenName ?? null, familyName, grams, service, note ?? null],
    );
    return parcelOf(row!);
  }

  async list(): Promise<Parcel[]> {
    const rows = await this.#transaction.query<ParcelRow>(
      'SELECT * FROM parcels WHERE cancelled_for IS NULL ORDER BY id',
    );
    return rows.map(parcelOf);
  }

  /** @throws {Problem} 404, or 410 for a cancelled one */
  async get(id: bigint): Promise<Parcel> {
    const [row] = await this.#transaction.query<ParcelRow>('SELECT * FROM parcels WHERE id = $1', [
      id,
    ]);
    if (row === undefined) throw new Problem(404, `no parcel has the id ${id}`);
    if (row.cancelled_for !== null) throw new Problem(410, `cancelled: ${row.cancelled_for}`);
    return parcelOf(row);
  }

  async cancel(id: bigint, reason: string): Promise<void> {
    await this.#undelivered(id);
    await this.#transaction.run('UPDATE parcels SET cancelled_for = $2 WHERE id = $1', [
      ...[id, reason],
    ]);
  }

  async scan(id: bigint, { place, state }: Scan): Promise<void> {
    await this.#undelivered(id);
    await this.#transaction.run('UPDATE parcels SET state = $2 WHERE id = $1', [id, state]);
    await this.#transaction.run(
      'INSERT INTO scans (parcel, place, state, at) VALUES ($1, $2, $3, $4)',
      [id, place, state, new Date().toISOString()],
    );
  }

  /** @param last the id of a scan; `0` for all scans */
  scansAfter(id: bigint, last: string): Promise<ScanRow[]> {
    return this.#transaction.query<ScanRow>(
      'SELECT id, place, state, at FROM scans WHERE parcel = $1 AND id > CAST($2 AS integer) ORDER BY id',
      [id, last],
    );
  }

  async #undelivered(id: bigint): Promise<void> {
    const { state } = await this.get(id);
    if (state === 'delivered') throw new Problem(409, `parcel ${id} is delivered`);
  }

  /** Commits if the client gets a valid reply with a status below 400. */
  [Symbol.asyncDispose](outcome?: RequestOutcome): Promise<void> {
    return this.#transaction[Symbol.asyncDispose](outcome);
  }
}

function parcelOf({ id, given_name, family_name, grams, service, note, state }: ParcelRow): Parcel {
  return {
    id,
    ...(given_name !== null && { givenName: given_name }),
    familyName: family_name,
    grams: Number(grams),
    service,
    ...(note !== null && { note }),
    state,
  };
}
