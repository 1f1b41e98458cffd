// operationId -> handler. The compiler checks that each operation of openapi.yaml has one.
import type { Handlers } from '../contract/operation.ts';
import { createPlant } from './createPlant.ts';
import type { Services } from './services.ts';

export const handlers: Handlers<Services> = { createPlant };
