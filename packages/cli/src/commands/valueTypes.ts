// The options of the types of dates and integers in a client, which its package.json keeps.
import { Option } from 'commander';
import { DATE_TYPES, INT64_TYPES } from '../types/valueTypes.ts';

export function datesOption(): Option {
  const option = new Option(
    '--dates <type>',
    'of date-time and date in the client: string by default, or as generated before',
  );
  return option.choices(DATE_TYPES);
}

export function int64Option(): Option {
  const option = new Option(
    '--int64 <type>',
    'of int64 in the client: bigint by default, or as generated before',
  );
  return option.choices(INT64_TYPES);
}
