// Shows the messages of errors that responses have no room for, if the service is in this process.
import { type UnsentReason, unsentReasons } from '../pipeline/unsentReasons.ts';
import { warningOnce } from '../response/unsentProperties.ts';

type Respond = (request: Request) => Promise<Response>;

const warnOnce = warningOnce((text) => process.emitWarning(text, 'ContractWarning'));

/** @returns a function that warns once of each message that a response does not have */
export function showingUnsentReasons(respond: Respond): Respond {
  return async (request) => {
    const show = (message: unknown) => warnOnce(textOf(message as UnsentReason));
    unsentReasons.subscribe(show);
    try {
      return await respond(request);
    } finally {
      unsentReasons.unsubscribe(show);
    }
  };
}

function textOf({ operationId = 'a request', status, reason }: UnsentReason): string {
  return `${operationId} responded ${status}, without its message in the body: ${reason}`;
}
