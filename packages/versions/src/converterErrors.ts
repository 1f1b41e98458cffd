// The error of a converter: a 500 whose cause names version, operation and direction.
import {
  errorFrom,
  InvalidReply,
  type MaybePromise,
  Problem,
  withError,
} from '@stubwright/contract';

/** Of one operation of one version. */
export class ConverterErrors {
  readonly #operation: string;

  constructor(version: string, operationId: string) {
    this.#operation = `version ${version}: ${operationId}`;
  }

  /**
   * @param converter `request`, `reply` or `item`
   * @throws {InvalidReply} with the cause; a Problem of the application is its response
   */
  named<T>(converter: string, convert: () => MaybePromise<T>): MaybePromise<T> {
    return withError(convert, (thrown) => {
      if (thrown instanceof Problem) return thrown;
      const cause = errorFrom(thrown);
      const message = `${this.#operation}: the ${converter} converter failed: ${cause.message}`;
      return new InvalidReply(message, { cause });
    });
  }
}
