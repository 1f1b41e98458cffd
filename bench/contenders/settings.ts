// Settings of every contender, with the names of this project's settings.
const { PORT, API_TOKENS, CONTRACT } = process.env;

export const host = '127.0.0.1';
export const port = Number(PORT);
/** Absolute path of the contract. */
export const contract = CONTRACT!;

/** A string comparison is cheaper than this project's constant-time comparison of digests. */
export function isAuthorized(header: string | undefined): boolean {
  return header === `Bearer ${API_TOKENS}`;
}
