// Shows the messages of errors that responses have no room for, if the service is in this process.
import { type UnsentReason, unsentReasons } from '../pipeline/unsentReasons.ts';

type Respond = (request: Request) => Promise<Response>;

/** Limits the memory: a message may contain input. */
const MAX_SHOWN = 100;
const shown = new Set<string>();

/** @returns a function that warns once of each message that a response does not have */
export function showingUnsentReasons(respond: Respond): Respond {
  return async (request) => {
    const show = (message: unknown) => warnOnce(message as UnsentReason);
    unsentReasons.subscribe(show);
    try {
      return await respond(request);
    } finally {
      unsentReasons.unsubscribe(show);
    }
  };
}

function warnOnce({ operationId = 'a request', status, reason }: UnsentReason): void {
  const text = `${operationId} responded ${status}, without its message in the body: ${reason}`;
  if (shown.has(text) || shown.size === MAX_SHOWN) return;
  shown.add(text);
  process.emitWarning(text, 'ContractWarning');
}
