// Verifies the credentials of a request once, whichever engines authenticate it.
import { ConvertedExchange, type EngineOptions, type Verifier } from 'stubwright/internals';

type Verifiers = NonNullable<EngineOptions<never>['verifiers']>;
type Result = ReturnType<Verifier>;

/** @returns verifiers that return the same result for the same credentials and scopes of one request */
export function verifiedOnce(verifiers: Verifiers): Verifiers {
  // Schemes that share a verifier share its wrapper, too: the engine compares them.
  const wrapped = new Map([...new Set(Object.values(verifiers))].map((each) => [each, once(each)]));
  const all = Object.entries(verifiers).map(([name, each]) => [name, wrapped.get(each)!] as const);
  return Object.fromEntries(all);
}

function once(verify: Verifier<never>): Verifier<never> {
  const results = new WeakMap<object, Map<string, Result>>();
  return (credentials, request, scopes) => {
    const sent: object = request instanceof ConvertedExchange ? request.sent : request;
    const ofRequest = results.get(sent) ?? new Map<string, Result>();
    results.set(sent, ofRequest);
    const key = JSON.stringify([credentials, scopes]);
    const known = ofRequest.get(key);
    if (known !== undefined || ofRequest.has(key)) return known;
    const result = verify(credentials, request, scopes);
    ofRequest.set(key, result);
    return result;
  };
}
