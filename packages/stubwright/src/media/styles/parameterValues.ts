// The values of parameters by location and name.
import { NameMap } from '../../document/nameMap.ts';

/** The parameters of a request by location and name. */
export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
}

export function newParameterValues(): ParameterValues {
  return {
    path: new NameMap(),
    query: new NameMap(),
    header: new NameMap(),
    cookie: new NameMap(),
  };
}

/** Of a request without parameters. */
export const NO_PARAMETERS = newParameterValues();
