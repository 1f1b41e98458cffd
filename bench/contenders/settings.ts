// The settings that every contender gets, named as the service's own.
const { PORT, API_TOKENS, CONTRACT } = process.env;

export const host = '127.0.0.1';
export const port = Number(PORT);
/** The path of the contract, absolute. */
export const contract = CONTRACT!;

/** A string comparison: cheaper than the service's own digest and constant-time comparison. */
export function isAuthorized(header: string | undefined): boolean {
  return header === `Bearer ${API_TOKENS}`;
}
