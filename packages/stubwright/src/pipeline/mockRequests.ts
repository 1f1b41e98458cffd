// What requests for mocked operations may do in addition: choose a response in their query.
import { Exchange } from '../request/exchange.ts';
import type { Engine } from './engineResponse.ts';
import type { Router } from './router.ts';
import type { ServedOperation } from './step.ts';

type Handle = Engine['handle'];

/** The query parameters of Prism: `__code=404`, `__example=name`, `__dynamic=true`; and `__wait=2`. */
const IN_QUERY = /^__(code|example|dynamic|wait)=(.*)$/s;

/** Reads the preferences in the query of requests for mocked operations. */
export function withPreferences(handle: Handle, router: Router<ServedOperation>): Handle {
  return (exchange) => {
    if (!exchange.queryText.includes('__')) return handle(exchange);
    const served = router.match(exchange.method, exchange.path)?.operation;
    if (served === undefined || !served.isMocked) return handle(exchange);
    const declared = served.operation.parameters.filter((each) => each.in === 'query');
    const names = new Set(declared.map(({ name }) => name));
    return handle(withQueryPreferences(exchange, names));
  };
}

/**
 * Moves the preferences of the query to the `Prefer` header, whose own preferences take precedence.
 *
 * @param declared names of the query parameters of the operation, which are no preferences
 */
function withQueryPreferences<Native>(
  exchange: Exchange<Native>,
  declared: ReadonlySet<string>,
): Exchange<Native> {
  const preferences: string[] = [];
  const kept = exchange.queryText.split('&').filter((pair) => {
    const [, name, value] = IN_QUERY.exec(pair) ?? [];
    if (name === undefined || declared.has(`__${name}`)) return true;
    preferences.push(`${name}=${quoted(value!)}`);
    return false;
  });
  if (preferences.length === 0) return exchange;
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
  const prefer = [exchange.headers['prefer'] ?? [], preferences].flat().join(', ');
  const { method, path, headers, address, body, native } = exchange;
  const head = { method, url: path + query, headers: { ...headers, prefer }, address };
  return new Exchange(head, body, native);
}

function quoted(encoded: string): string {
  const [[, value] = ['', '']] = new URLSearchParams(`value=${encoded}`);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
