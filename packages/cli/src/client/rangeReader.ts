// Describes how a reply of `*/*` or `application/*` is read, as an expression of @stubwright/client.
import { isBigint, type Schema } from '@stubwright/contract';
import type { Code } from './code.ts';
import type { Constants } from './constants.ts';
import type { ExactCode } from './exactCode.ts';
import { inPlace } from './inPlace.ts';
import { isBinaryValue, shapeTypes, textShape } from './textShapes.ts';

export function hasJson(range: string): boolean {
  return /^(?:\*|application)\/\*$/.test(range);
}

/** @returns a reader that selects by the Content-Type among those that the schema has values for */
export function rangeReader(
  schema: Schema | undefined,
  { constants, exact }: { constants: Constants; exact: ExactCode },
): Code {
  const call = (name: string, args: readonly unknown[] = []) => constants.call(name, args);
  const holder = exact.integersIn(schema);
  const json = () => call('receiveJson', holder === undefined ? [] : [holder]);
  const any = (readers: Readonly<Record<string, Code>>) => call('receiveAny', [readers]);
  const parts = schema === undefined ? [] : inPlace([schema]);
  const types = shapeTypes(parts);
  if (schema === undefined || (types.length === 0 && !parts.some(isBigint))) {
    return any({ json: json(), text: call('receiveText'), other: call('receiveBytes') });
  }
  const isStructured = types.some((type) => type === 'object' || type === 'array');
  if (isBinaryValue(schema)) {
    return isStructured ? any({ json: json(), other: call('receiveBytes') }) : call('receiveBytes');
  }
  if (!isStructured)
    return any({ json: json(), other: call('receiveText', [textShape([schema])]) });
  return json();
}
