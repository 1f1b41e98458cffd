// One function per operation of 5.0.0. No older version occurs here.
import type { HandlersOf } from 'stubwright';
import type { operations } from '../generated/contract.ts';
import type { Parcels } from './parcels.ts';

export const handlers: HandlersOf<operations, Parcels> = {
  async sendParcel({ body }, parcels) {
    return { status: 201, body: await parcels.add(body) };
  },
  async listParcels(_request, parcels) {
    return { status: 200, body: { parcels: await parcels.list() } };
  },
  async getParcel({ path: { id } }, parcels) {
    return { status: 200, body: await parcels.get(id) };
  },
  async cancelParcel({ path: { id }, query: { reason } }, parcels) {
    await parcels.cancel(id, reason);
    return { status: 204 };
  },
  async scanParcel({ path: { id }, body }, parcels) {
    await parcels.scan(id, body);
    return { status: 204 };
  },
  /** A client that connects again gets the scans since then; 204 ends that (WHATWG HTML, section 9.2). */
  async watchParcel({ path: { id }, lastEventId }, parcels) {
    const { state } = await parcels.get(id);
    const scans = await parcels.scansAfter(id, lastEventId ?? '0');
    if (scans.length === 0 && state === 'delivered') return { status: 204 };
    const body = scans.map(({ id, state, place, at }) => ({
      id: String(id),
      event: state,
      data: { place, at },
    }));
    return { status: 200, body };
  },
};
