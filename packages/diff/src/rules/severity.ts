// The severities of changes.

/**
 * The effect of a change on a client that conforms to the older contract.
 *
 * - `breaking`: its request is refused or changes its meaning, the response violates the older
 *   contract, or its SDK loses the method of an operation.
 * - `risky`: the contract still holds, but a client may notice, such as the new name of a type in its
 *   SDK; or the effect cannot be determined.
 * - `compatible`: existing clients are not affected.
 */
export type Severity = 'breaking' | 'risky' | 'compatible';

/** Most severe first. */
export const SEVERITIES: readonly Severity[] = ['breaking', 'risky', 'compatible'];
