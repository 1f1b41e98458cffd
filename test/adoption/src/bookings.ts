// The bookings, in SQLite.
import { DatabaseSync } from 'node:sqlite';

export interface Booking {
  readonly id: bigint;
  readonly sailing: bigint;
  readonly passenger: string;
  readonly seats: number;
  readonly notify?: string;
}

export class SailingFull extends Error {}

const SEATS = 3;

export class Bookings {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 5_000 });
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS booking (id INTEGER PRIMARY KEY, sailing INTEGER, passenger TEXT, seats INTEGER, notify TEXT)',
    );
  }

  /** @throws {SailingFull} */
  add(booking: Omit<Booking, 'id'>): Booking {
    const { sailing, passenger, seats, notify } = booking;
    const sum = this.#database.prepare('SELECT sum(seats) AS taken FROM booking WHERE sailing = ?');
    const taken = Number(sum.get(sailing)?.['taken'] ?? 0);
    if (taken + seats > SEATS) throw new SailingFull(`${SEATS - taken} seats are left`);
    const insert = this.#database.prepare(
      'INSERT INTO booking (sailing, passenger, seats, notify) VALUES (?, ?, ?, ?)',
    );
    insert.setReadBigInts(true);
    const { lastInsertRowid } = insert.run(sailing, passenger, seats, notify ?? null);
    return { ...booking, id: BigInt(lastInsertRowid) };
  }

  find(id: bigint): Booking | undefined {
    const select = this.#database.prepare('SELECT * FROM booking WHERE id = ?');
    select.setReadBigInts(true);
    const row = select.get(id);
    if (row === undefined) return undefined;
    return {
      id: row['id'] as bigint,
      sailing: row['sailing'] as bigint,
      passenger: String(row['passenger']),
      seats: Number(row['seats']),
      ...(row['notify'] !== null && { notify: String(row['notify']) }),
    };
  }

  close(): void {
    this.#database.close();
  }
}
