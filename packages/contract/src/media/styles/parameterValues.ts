// The values of parameters by location and name.
import { NameMap } from '../../document/nameMap.ts';

/** The locations of parameters; `querystring` is in the query. */
export type Where = 'path' | 'query' | 'header' | 'cookie';

/** The parameters of a request by location and name. */
export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
  /** By location and name, of parameters that defaults may have changed: the sent values. */
  sent?: Map<string, unknown>;
}

/** @returns the value of a parameter without defaults; undefined if it was not sent */
export function sentValue(values: ParameterValues, where: Where, name: string): unknown {
  const key = `${where} ${name}`;
  return values.sent?.has(key) ? values.sent.get(key) : values[where][name];
}

/** Keeps the value that was sent. */
export function keepSent(
  values: ParameterValues,
  { where, name }: { readonly where: Where; readonly name: string },
  value: unknown,
): void {
  values.sent ??= new Map();
  values.sent.set(`${where} ${name}`, value);
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
