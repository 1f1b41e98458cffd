// operationId -> handler. The compiler checks that each operation of openapi.yaml has one.
import { createPlant } from './createPlant.ts';
import type { Handlers } from './operation.ts';
import type { Services } from './services.ts';

export const handlers: Handlers<Services> = { createPlant };
