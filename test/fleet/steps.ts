// One request to the fleet, as data.

export type FleetStep =
  | { readonly kind: 'add'; readonly id: number; readonly plate: string }
  | { readonly kind: 'move'; readonly id: number; readonly version: number; readonly place: string }
  | { readonly kind: 'remove'; readonly id: number }
  | {
      readonly kind: 'transfer';
      readonly id: number;
      readonly source: number;
      readonly target: number;
      readonly amount: number;
    };

/** Ids of vehicles that only compete for the plate of another one. */
export const PLATE_RIVALS = 1_000_000_000;

/** Only these vehicles are removed; the others take part in transfers. */
export function isRemoved(id: number): boolean {
  return id % 3 === 0;
}
