// Two operations; the others are mocked.
import { type HandlersOf, mocked, Problem } from 'stubwright';
import type { operations } from '../generated/contract.ts';
import type { Bookings } from './bookings.ts';

export interface Context {
  readonly bookings: Bookings;
}

export const handlers: HandlersOf<operations, Context> = {
  listSailings: mocked,
  'cancel-booking': mocked,
  'create-booking': ({ body }, { bookings }) => {
    const booking = bookings.add(body);
    return {
      status: 201,
      headers: { Location: `/v1/bookings/${booking.id}` },
      type: 'application/json',
      body: booking,
    };
  },
  'get-booking': ({ path: { id } }, { bookings }) => {
    const body = bookings.find(id);
    if (body === undefined) throw new Problem(404, `no booking has the id ${id}`);
    return { status: 200, type: 'application/json', body };
  },
};
