// The parts of the values of converters that pass without conversion.
import { type Direction, isObject, type Operation, type Schema } from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { replySchema } from './echo.ts';
import type { ConverterFunction } from './observedConverters.ts';
import type { ProofValues } from './proofValues.ts';
import { type AlteredPart, passedParts, type SharedPart, sharedParts } from './sharedParts.ts';
import type { VersionPair } from './versionPair.ts';

export interface PassedPart extends AlteredPart {
  readonly isPassed: boolean;
}

const LEFT_OUT: SharedPart = {
  name: 'item',
  label: 'a valid item',
  isEqual: true,
  isAccepted: () => true,
};

export class PassedValues {
  readonly #pair: VersionPair;
  readonly #values: ProofValues;
  readonly #pairs: ReadonlyMap<string, Operation>;
  readonly #shared = new Map<string, readonly SharedPart[]>();

  constructor(pair: VersionPair, values: ProofValues) {
    this.#pair = pair;
    this.#values = values;
    this.#pairs = operationPairs(pair.older, pair.newer);
  }

  /** @param output of a request, merged with the input */
  of({ member, name }: ConverterFunction, input: unknown, output: unknown): PassedPart[] {
    const { older, newer } = this.#pair;
    if (member === 'toNew' || member === 'toOld') {
      const direction = member === 'toNew' ? 'request' : 'response';
      const [was, is] = [older, newer].map(({ schemas }) => schemas.get(name));
      return this.#parts(was, is, direction, [input, output]);
    }
    const [was, is] = [
      older.operations.find(({ operationId }) => operationId === name),
      this.#pairs.get(name),
    ];
    if (was === undefined || is === undefined) return [];
    if (member === 'request') return this.#ofRequest(was, is, input, output);
    if (member === 'item') return this.#ofItem(was, is, input, output);
    if (member === 'call') return [];
    const bodies = [fieldOf(input, 'body'), fieldOf(output, 'body')] as const;
    return this.#parts(bodyIn(was, output), bodyIn(is, input), 'response', bodies);
  }

  #ofRequest(was: Operation, is: Operation, input: unknown, output: unknown): PassedPart[] {
    const [ofOlder, ofNewer] = [was, is].map(({ request }) => request.preferred?.content);
    const bodies = [fieldOf(input, 'body'), fieldOf(output, 'body')] as const;
    const ofParameters = was.parameters.flatMap((parameter) => {
      const { in: at, name, valueSchema } = parameter;
      const other = is.parameters.find((each) => each.in === at && each.name === name);
      const where = at === 'querystring' ? 'query' : at;
      const read = (request: unknown) => fieldOf(fieldOf(request, where), name);
      return this.#whole(valueSchema, other?.valueSchema, [read(input), read(output)]).map(
        (each) => ({ ...each, part: { ...each.part, name, label: `${where} parameter ${name}` } }),
      );
    });
    if (ofOlder?.patchOf === undefined || ofNewer?.patchOf === undefined) {
      return [...this.#parts(ofOlder?.schema, ofNewer?.schema, 'request', bodies), ...ofParameters];
    }
    // Converters of components do not apply to the parts of a resource.
    const key = `patch ${ofOlder.pointer} ${ofNewer.pointer}`;
    const options = {
      direction: 'request',
      values: this.#values,
      isConverted: () => false,
    } as const;
    const known = this.#shared.get(key) ?? sharedParts(ofOlder.patchOf, ofNewer.patchOf, options);
    this.#shared.set(key, known);
    return [...passedParts(known, ...bodies), ...ofParameters];
  }

  #ofItem(was: Operation, is: Operation, input: unknown, output: unknown): PassedPart[] {
    const [older, newer] = [this.#itemIn(was), this.#itemIn(is)];
    if (older === undefined || newer === undefined) return [];
    if (output !== undefined) return this.#parts(older, newer, 'response', [input, output]);
    const isValid = this.#values.accepts('older', older, 'response')(input);
    return isValid ? [{ part: LEFT_OUT, before: input, after: undefined, isPassed: false }] : [];
  }

  #itemIn({ responses }: Operation): Schema | undefined {
    const contents = [...responses.values()].flatMap((each) => [...each.contents]);
    return contents
      .map(([key, content]) => this.#values.itemOf(content, key, 'response'))
      .find((each) => each !== undefined);
  }

  /** A scalar, an array, or an object, which is converted as a whole. */
  #whole(
    older: Schema | undefined,
    newer: Schema | undefined,
    [input, output]: readonly [unknown, unknown],
  ): PassedPart[] {
    if (input === undefined || isObject(input)) return [];
    return this.#parts(older, newer, 'request', [input, output]);
  }

  #parts(
    older: Schema | undefined,
    newer: Schema | undefined,
    direction: Direction,
    [input, output]: readonly [unknown, unknown],
  ): PassedPart[] {
    if (older === undefined || newer === undefined) return [];
    const key = `${direction} ${older.pointer} ${newer.pointer}`;
    const { schemas = {} } = this.#pair.converters;
    const known =
      this.#shared.get(key) ??
      sharedParts(older, newer, {
        ...{ direction, values: this.#values },
        isConverted(name) {
          const { toNew, toNewSteps, toOld, toOldSteps } = schemas[name] ?? {};
          const own = direction === 'request' ? (toNew ?? toNewSteps) : (toOld ?? toOldSteps);
          return own !== undefined;
        },
      });
    this.#shared.set(key, known);
    return passedParts(known, input, output);
  }
}

function bodyIn(operation: Operation, reply: unknown): Schema | undefined {
  const status = fieldOf(reply, 'status');
  return typeof status === 'number' ? replySchema(operation, status) : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
