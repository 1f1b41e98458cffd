// The description of an operation.
import type { BodyWriter } from './bodies.ts';
import type { ServerSpec } from './connection.ts';
import type { ReplySpecs } from './replies.ts';
import type { ParameterSpec } from './styles.ts';

/** An operation, as the generator writes it. */
export interface OperationSpec {
  /** The operationId. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters?: readonly ParameterSpec[];
  /** By media type; the default is the first. */
  readonly bodies?: Readonly<Record<string, BodyWriter>>;
  /** The value of the header Accept. */
  readonly accept?: string;
  readonly replies: ReplySpecs;
  /** The alternatives, each with the names of its schemes. */
  readonly security?: readonly (readonly string[])[];
  /** True if the request is safe to repeat, although its method is not. */
  readonly isIdempotent?: boolean;
  /** If it differs from the contract's. */
  readonly server?: ServerSpec;
}
