// Which operations are mocked. Apart from how, which a service without mocks need not load.

/** Stands in a handler map for an operation that is to be mocked: `listPlants: mocked`. */
export const mocked: unique symbol = Symbol('mocked');

/** Which operations are mocked: none but those marked `mocked`, those without handler, or all. */
export type MockMode = 'off' | 'missing' | 'all';
