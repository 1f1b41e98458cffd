// The services that are passed to the handlers.

/** For example `{ readonly orders: OrderStore }`, which `open` in src/service.ts creates. */
export type Services = Record<never, never>;
