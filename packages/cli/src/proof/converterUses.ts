// What the converters of a version did with all values: never called, changed nothing, changed too much.
import { isObject, propertiesOf } from '@stubwright/contract';
import type { Losses } from './losses.ts';
import {
  type ConverterFunction,
  type ConverterUse,
  converterFunctions,
} from './observedConverters.ts';
import { PassedValues } from './passedValues.ts';
import type { ProofValues } from './proofValues.ts';
import { exampleText } from './requestCases.ts';
import { type AlteredPart, isSameValue } from './sharedParts.ts';
import type { VersionPair } from './versionPair.ts';

/** What is wrong with a converter, by its path. */
export interface ConverterError {
  readonly converter: ConverterFunction;
  readonly message: string;
  readonly example: string | null;
}

interface Uses {
  readonly converter: ConverterFunction;
  calls: number;
  changes: number;
  readonly passed: Set<string>;
  readonly changed: Map<string, AlteredPart>;
  readonly names: Set<string>;
}

export class ConverterUses {
  readonly #pair: VersionPair;
  readonly #passed: PassedValues;
  readonly #losses: Losses;
  readonly #uses: ReadonlyMap<string, Uses>;

  constructor(pair: VersionPair, values: ProofValues, losses: Losses) {
    this.#pair = pair;
    this.#passed = new PassedValues(pair, values);
    this.#losses = losses;
    this.#uses = new Map(
      converterFunctions(pair.converters).map((converter) => [
        converter.path,
        {
          ...{ converter, calls: 0, changes: 0 },
          ...{ passed: new Set(), changed: new Map(), names: new Set() },
        },
      ]),
    );
  }

  get count(): number {
    return this.#uses.size;
  }

  readonly saw = ({ input, output, ...converter }: ConverterUse): void => {
    const uses = this.#uses.get(converter.path)!;
    const { member } = converter;
    const whole = member === 'request' ? { ...Object(input), ...Object(output) } : output;
    uses.calls += 1;
    if (!isSameValue(input, whole)) uses.changes += 1;
    if (isObject(output))
      for (const [name, each] of Object.entries(output)) {
        if (each !== undefined) uses.names.add(name);
      }
    for (const { isPassed, ...each } of this.#passed.of(converter, input, whole)) {
      const { name, label } = each.part;
      const key = label ?? name;
      if (!isPassed) uses.changed.set(key, uses.changed.get(key) ?? each);
      // Zero is the same in each unit.
      else if (each.before !== 0) uses.passed.add(key);
    }
  };

  get errors(): ConverterError[] {
    return [...this.#uses.values()].flatMap((each) => {
      const { converter, calls, changes } = each;
      const error = (message: string, example: string | null = null) => ({
        converter,
        message,
        example,
      });
      if (calls === 0) return [error('no generated value reaches it')];
      if (converter.member === 'call') return [];
      const lost = this.#neverReturned(each);
      if (changes === 0 && !this.#losses.has(ownerOf(converter))) {
        return [error('it changes none of the values, expected a conversion, or loses')];
      }
      return [
        ...lost.map((name) =>
          error(`${name} is never returned, expected it, or loses: ['${name}']`),
        ),
        ...this.#changedParts(each).map(({ part, before, after }) => {
          const where = part.label ?? (part.name === '' ? 'the value' : part.name);
          return error(
            `${where} changes although it needs no conversion`,
            `${exampleText(before)} becomes ${exampleText(after) ?? 'absent'}`,
          );
        }),
      ];
    });
  }

  /** Equal parts pass unless they are lost; of parts with other limits, not some only: that is a wrong limit. */
  #changedParts({ converter, passed, changed }: Uses): AlteredPart[] {
    return [...changed.values()].filter(({ part, before, after }) => {
      if (!part.isEqual && after !== undefined) return passed.has(part.label ?? part.name);
      const loss = { pointer: `/${part.name}`, value: before };
      return !this.#losses.isDeclared(loss, [ownerOf(converter)]);
    });
  }

  /** The optional properties that only the older contract declares. */
  #neverReturned({ converter, names }: Uses): string[] {
    const { member, name, path } = converter;
    if (member !== 'toOld' || !path.endsWith('.toOld')) return [];
    const [older, newer] = [this.#pair.older, this.#pair.newer].map(({ schemas }) =>
      schemas.get(name),
    );
    if (older === undefined || newer === undefined) return [];
    const known = propertiesOf(newer);
    const isLost = (each: string) => {
      const loss = { pointer: `/${each}`, value: undefined };
      return !this.#losses.isDeclared(loss, [ownerOf(converter)]);
    };
    return [...propertiesOf(older).keys()].filter(
      (each) => !known.has(each) && !names.has(each) && isLost(each),
    );
  }
}

/** @returns `schemas.Toy` */
export function ownerOf({ group, name }: ConverterFunction): string {
  return `${group}.${name}`;
}
