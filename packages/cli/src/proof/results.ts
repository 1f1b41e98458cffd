// The proof of a served version, as data.
import type { Located } from '@stubwright/contract';

/** How a converter, or a version without one, breaks a client. The position is that of the older contract. */
export interface ProofFinding extends Located {
  readonly rule: 'proof-request' | 'proof-reply' | 'proof-round-trip' | 'proof-converter';
  readonly version: string;
  /** Of the older contract; null for a converter of several operations. */
  readonly operationId: string | null;
  readonly direction: 'request' | 'reply' | null;
  /** `schemas.Toy.toOld`; null for a finding of the whole operation. */
  readonly converter: string | null;
  /** The value, as JSON; null without one. */
  readonly example: string | null;
}

/** The number of values that were converted. */
export interface ProofCounts {
  /** Generated requests of the older contract. */
  requests: number;
  /** Generated replies of the newer contract. */
  replies: number;
  /** Of these, the values that the other contract refuses without a converter. */
  witnesses: number;
  /** Values that were converted there and back. */
  roundTrips: number;
}

/** SHA-256 of what a proof is made of, in hexadecimal. */
export interface ProofHashes {
  readonly older: string;
  readonly newer: string;
  /** Of the module of the converters, with the modules of the project that it imports. */
  readonly converters: string;
}

/** The proof that the clients of a version get what its contract declares. */
export interface VersionProof extends Readonly<ProofCounts> {
  readonly version: string;
  /** The version that it converts to. */
  readonly next: string;
  readonly converters: number;
  readonly findings: readonly ProofFinding[];
}

/** The proof of a version of a project. */
export interface FileProof extends VersionProof {
  readonly hashes: ProofHashes;
}
