// An error of a contract that leaves single operations undefined.

export interface ContractError {
  /** `file:line:column  what  expected` */
  readonly text: string;
  /** Each as `get /toys`; empty where no operation leads to the error. */
  readonly operations: readonly string[];
  /** True where a mock answers all the same: an unknown security scheme, an operationId given twice. */
  readonly isMockable: boolean;
}
