// The declared headers of a response, or of a part of a multipart body.
import type { IncomingHttpHeaders } from 'node:http';
import type { Header } from '../../operations/describedValues.ts';
import type { Coercions } from '../../schema/coercion.ts';
import type { Validators, Violation } from '../../schema/validator.ts';
import {
  compileParameter,
  NO_PAIRS,
  type ParameterReader,
  readParameter,
  type Sent,
} from './parameter.ts';
import { newParameterValues } from './parameterValues.ts';

const NOTHING_SENT: Omit<Sent, 'headers'> = {
  params: {},
  query: NO_PAIRS,
  queryText: '',
  cookies: NO_PAIRS,
  plainCookies: NO_PAIRS,
};
export class DeclaredHeaders {
  readonly #headers: readonly ParameterReader[];

  /** @param declared by name @param validators for responses */
  constructor(declared: ReadonlyMap<string, Header>, validators: Validators, coercions: Coercions) {
    this.#headers = Array.from(declared, ([name, header]) => {
      const compiled = compileParameter(header, { name, where: 'header' }, validators, coercions);
      return { ...compiled, title: `header ${name}`, default: undefined };
    });
  }

  /** @returns the values by declared name */
  read(headers: IncomingHttpHeaders): {
    values: Record<string, unknown>;
    violations: Violation[];
  } {
    const sent: Sent = { ...NOTHING_SENT, headers };
    const values = newParameterValues();
    const violations: Violation[] = [];
    for (const parameterReader of this.#headers)
      readParameter(parameterReader, sent, values, violations);
    return { values: values.header, violations };
  }
}
