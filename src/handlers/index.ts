// The handlers by operationId; a missing one is a type error.
import { createPlant } from './createPlant.ts';
import type { Handlers } from './operation.ts';
import type { Services } from './services.ts';

export const handlers: Handlers<Services> = {
  createPlant,
};
