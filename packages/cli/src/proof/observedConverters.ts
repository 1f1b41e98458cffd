// Converters that report the values which they receive and return.
import { chain } from '@stubwright/contract';
import type { OperationConverter, SchemaConverter, VersionConverters } from '@stubwright/versions';

export type ObservedMember = 'toNew' | 'toOld' | 'request' | 'reply' | 'item' | 'call';

/** A function of a converter. */
export interface ConverterFunction {
  /** `schemas.Toy.toNewSteps['/note maxLength 100 became 50']` */
  readonly path: string;
  readonly group: 'schemas' | 'operations';
  /** Of the component, or the operationId. */
  readonly name: string;
  readonly member: ObservedMember;
}

export interface ConverterUse extends ConverterFunction {
  readonly input: unknown;
  readonly output: unknown;
}

type Convert = (value: never, ...more: never[]) => unknown;

const MEMBERS = {
  schemas: ['toNew', 'toOld'],
  operations: ['request', 'reply', 'item', 'call'],
} as const;

/** @returns all functions of the converters, in order */
export function converterFunctions(converters: VersionConverters): ConverterFunction[] {
  const found: ConverterFunction[] = [];
  mapped(converters, (each, convert) => {
    found.push(each);
    return convert;
  });
  return found;
}

/** @param saw is called after each call of a converter; the input is a copy from before it */
export function observed(
  converters: VersionConverters,
  saw: (use: ConverterUse) => void,
): VersionConverters {
  return mapped(converters, (each, convert) => (value: never, ...more: never[]) => {
    const input = copyOf(value);
    return chain(convert(value, ...more), (output: unknown) => {
      saw({ ...each, input, output });
      return output;
    });
  });
}

type Replace = (each: ConverterFunction, convert: Convert) => Convert;

function mapped({ schemas, operations, ...rest }: VersionConverters, replace: Replace) {
  return {
    ...rest,
    schemas: mappedGroup<SchemaConverter>('schemas', schemas, replace),
    operations: mappedGroup<OperationConverter>('operations', operations, replace),
  };
}

function mappedGroup<Converter extends object>(
  group: keyof typeof MEMBERS,
  converters: Readonly<Record<string, Converter>> = {},
  replace: Replace,
): Readonly<Record<string, Converter>> {
  const entries = Object.entries(converters).map(([name, converter]) => {
    const own = new Map<string, unknown>(Object.entries(converter));
    const path = `${group}${access(name)}`;
    for (const member of MEMBERS[group]) {
      const shared = { group, name, member };
      const convert = own.get(member) as Convert | undefined;
      if (convert !== undefined) {
        own.set(member, replace({ ...shared, path: `${path}.${member}` }, convert));
      }
      const steps = own.get(`${member}Steps`) as Readonly<Record<string, Convert>> | undefined;
      if (steps === undefined) continue;
      const all = Object.entries(steps).map(([step, each]) => {
        const stepPath = `${path}.${member}Steps[${JSON.stringify(step)}]`;
        return [step, replace({ ...shared, path: stepPath }, each)] as const;
      });
      own.set(`${member}Steps`, Object.fromEntries(all));
    }
    return [name, { ...converter, ...Object.fromEntries(own) }] as const;
  });
  return Object.fromEntries(entries);
}

function access(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `['${name}']`;
}

/** A converter may modify its argument. A stream cannot be copied. */
function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
