// Shared by the clients: the URL of the service, the serialization of bigints, and the output for the test.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

export const [url = '', token = ''] = process.argv.slice(2);

/** JSON with every digit of a bigint. */
export function exactly(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  );
}

/** For `BigInt.prototype.toJSON`: the same, wherever JSON is written. */
export function asDigits(this: bigint): unknown {
  return JSON.rawJSON(String(this));
}

export function shown(id: unknown): string {
  return `${typeof id} ${id}`;
}

export async function report(what: string, act: () => Promise<unknown>): Promise<void> {
  const outcome = await act().catch((error: unknown) => ({ threw: String(error) }));
  process.stdout.write(`${JSON.stringify([what, outcome])}\n`);
}
