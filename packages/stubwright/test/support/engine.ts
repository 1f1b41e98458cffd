// Requests to the engine of a contract, without an adapter.
import type { BodySource } from '@stubwright/contract/values';
import {
  createEngine,
  type EngineOptions,
  Exchange,
  type HttpRequest,
} from '../../src/internals.ts';

/** @param head by default `GET /` without headers */
export async function respond(
  options: EngineOptions<never>,
  head: Partial<HttpRequest> = {},
  native?: unknown,
) {
  const engine = await createEngine(options);
  const request = { method: 'GET', url: '/', headers: {}, ...head };
  return engine.handle(new Exchange(request, {} as BodySource, native as never));
}
