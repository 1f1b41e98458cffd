// The types of dates and of integers of 64 bits in a client.
import { isBigint, isBinary, type Schema } from '@stubwright/contract';

export const DATE_TYPES = ['string', 'Date'] as const;
export const INT64_TYPES = ['bigint', 'string', 'number'] as const;

export interface ValueTypes {
  /** Of `format: date-time` and `date`. */
  readonly dates: (typeof DATE_TYPES)[number];
  /** Of `format: int64` and `uint64`. */
  readonly int64: (typeof INT64_TYPES)[number];
}

/** Undefined for those of the client that was generated before. */
export type ChosenTypes = { readonly [Name in keyof ValueTypes]: ValueTypes[Name] | undefined };

export const DEFAULT_TYPES: ValueTypes = { dates: 'string', int64: 'bigint' };

export type ConvertedFormat = 'int64' | 'date' | 'date-time';

/** @returns the format of a value that has another type than the client reads; else undefined */
export function convertedFormat(
  schema: Schema,
  { dates, int64 }: ValueTypes,
): ConvertedFormat | undefined {
  const { types, keywords } = schema;
  const own = [...(types ?? [])].filter((type) => type !== 'null');
  const isNumeric = own.every((type) => type === 'integer' || type === 'number');
  if (isBigint(schema)) return int64 !== 'bigint' && isNumeric ? 'int64' : undefined;
  if (dates === 'string' || own.join() !== 'string' || isBinary(schema)) return undefined;
  const { format } = keywords;
  return format === 'date' || format === 'date-time' ? format : undefined;
}

export function isConverting({ dates, int64 }: ValueTypes): boolean {
  return dates !== DEFAULT_TYPES.dates || int64 !== DEFAULT_TYPES.int64;
}

/** @param manifest text of the package.json of the client before @returns the options, else those of that client */
export function chosenTypes(
  { dates, int64 }: ChosenTypes,
  manifest: string | undefined,
): ValueTypes {
  const { stubwright } = manifest === undefined ? {} : JSON.parse(manifest);
  const before = Object(stubwright);
  const keptDates = DATE_TYPES.find((type) => type === before.dates);
  const keptInt64 = INT64_TYPES.find((type) => type === before.int64);
  return {
    dates: dates ?? keptDates ?? DEFAULT_TYPES.dates,
    int64: int64 ?? keptInt64 ?? DEFAULT_TYPES.int64,
  };
}
