// The values of parameters by location and name.

/** The parameters of a request by location and name. */
export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
}

/** Without prototypes: a contract may declare a parameter `constructor`. */
export function newParameterValues(): ParameterValues {
  const none = (): Record<string, unknown> => Object.create(null);
  return { path: none(), query: none(), header: none(), cookie: none() };
}

/** Of a request without parameters. */
export const NO_PARAMETERS = newParameterValues();
