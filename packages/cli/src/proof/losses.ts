// The losses that converters declare, and those that happen.
import { isObject } from '@stubwright/contract';
import type { VersionConverters } from '@stubwright/versions';

/** A part of a value that did not arrive as it was. */
export interface LostPart {
  /** JSON pointer; `''` for the whole value. */
  readonly pointer: string;
  readonly value: unknown;
}

export class Losses {
  /** By path of the converter: `schemas.Toy`. */
  readonly #declared: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #happened = new Set<string>();

  constructor({ schemas = {}, operations = {} }: VersionConverters) {
    this.#declared = new Map([
      ...declaredIn('schemas', schemas),
      ...declaredIn('operations', operations),
    ]);
  }

  has(converter: string): boolean {
    return (this.#declared.get(converter)?.size ?? 0) > 0;
  }

  /** @returns true if one of the converters declares the loss, by the name of a property or by the value */
  isDeclared({ pointer, value }: LostPart, converters: readonly string[]): boolean {
    const names = pointer.split('/').slice(1);
    if (typeof value === 'string') names.push(value);
    let isDeclared = false;
    for (const converter of converters) {
      for (const name of names) {
        if (!this.#declared.get(converter)?.has(name)) continue;
        this.#happened.add(`${converter} ${name}`);
        isDeclared = true;
      }
    }
    return isDeclared;
  }

  get unused(): { readonly converter: string; readonly name: string }[] {
    return [...this.#declared].flatMap(([converter, names]) =>
      [...names]
        .filter((name) => !this.#happened.has(`${converter} ${name}`))
        .map((name) => ({ converter, name })),
    );
  }
}

function declaredIn(
  group: string,
  converters: Readonly<Record<string, { readonly loses?: readonly string[] }>>,
): [string, ReadonlySet<string>][] {
  return Object.entries(converters).map(([name, { loses = [] }]) => [
    `${group}.${name}`,
    new Set(loses),
  ]);
}

/** @returns the parts of a JSON value that another one does not have, or has with another value */
export function lossesIn(sent: unknown, received: unknown, pointer = ''): LostPart[] {
  if (isObject(sent) && isObject(received)) {
    return Object.entries(sent).flatMap(([name, value]) =>
      value === undefined ? [] : lossesIn(value, received[name], `${pointer}/${name}`),
    );
  }
  if (Array.isArray(sent) && Array.isArray(received) && sent.length === received.length) {
    return sent.flatMap((each, at) => lossesIn(each, received[at], `${pointer}/${at}`));
  }
  return JSON.stringify(sent) === JSON.stringify(received) ? [] : [{ pointer, value: sent }];
}
