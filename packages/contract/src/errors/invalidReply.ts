// What a service returns or sends, and the contract does not allow.

/** A reply that violates the contract: an error of the service. */
export class InvalidReply extends Error {
  override readonly name = 'InvalidReply';
}
