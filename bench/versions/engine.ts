// The CPU time of a request through older versions, in one process: without socket, service and store.
import { wholeBody } from '@stubwright/contract/values';
import { Exchange } from 'stubwright/internals';
import { type ServedOptions, served } from '../../packages/versions/test/support.ts';
import { contract, convertersOf, DEPTH, handlers, requestOf } from './toys.ts';

/** @returns sends one request, and fails for any response but 200 @param hasVersions false to serve the current version alone */
export async function engineSender(
  hasVersions = true,
): Promise<(method: 'GET' | 'POST', depth: number) => () => Promise<void>> {
  const options = { yaml: contract(DEPTH), version: `${DEPTH + 1}.0.0`, handlers } as never;
  const older = Array.from({ length: DEPTH }, (_, at) => ({
    ...{ version: `${at + 1}.0.0`, path: `/v${at + 1}`, yaml: contract(at) },
    converters: convertersOf(at),
  }));
  const { versions, current } = await served({ ...(options as ServedOptions), older });
  const engine = hasVersions ? versions.engine : current;
  return (method, depth) => {
    const { url, text } = requestOf(method, depth);
    const bytes = Buffer.from(text);
    const length = String(bytes.length);
    const headers: Record<string, string> =
      method === 'POST' ? { 'content-type': 'application/json', 'content-length': length } : {};
    return async () => {
      const exchange = new Exchange({ method, url, headers }, wholeBody(bytes));
      const { status, body } = await engine.handle(exchange);
      if (status !== 200) throw new Error(`${method} ${url}: ${status} ${String(body)}`);
    };
  };
}
