// Warns of properties that handlers return and the contract does not declare: they are not sent.

/** Limits the memory and the log: a message may have any input, such as names of properties. */
const MAX_WARNINGS = 100;

/** Called with the JSON pointer of a property in a reply. */
export type OnUnsent = (operationId: string, status: number, pointer: string) => void;

/** @returns a function that warns once of each property, for all items of an array */
export function unsentWarnings(warn: (message: string) => void): OnUnsent {
  const warned = warningOnce(warn);
  return (operationId, status, pointer) => {
    const name = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    warned(
      `${operationId} returned ${status} with ${name}, which the contract does not declare: it is not sent`,
    );
  };
}

/** @returns a function that passes each message once */
export function warningOnce(warn: (message: string) => void): (message: string) => void {
  const warned = new Set<string>();
  return (message) => {
    if (warned.has(message) || warned.size === MAX_WARNINGS) return;
    warned.add(message);
    warn(message);
  };
}
