// What a check finds at a location of a contract.

export interface AtPointer {
  /** JSON pointer in the bundled contract. */
  readonly pointer: string;
  /** `error  expected …` */
  readonly message: string;
}
