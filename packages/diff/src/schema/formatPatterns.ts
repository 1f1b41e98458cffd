// The strings of formats as patterns.

interface FormatPattern {
  /** Matches every valid string. */
  readonly pattern: string;
  /** True if each string that matches is valid. */
  readonly isExact: boolean;
}

const YEAR_TO_DAY = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const HOUR_MINUTE = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const TIME = `${HOUR_MINUTE}:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-]${HOUR_MINUTE})`;
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const DAYS = '(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?';
const HOURS = '(?:T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+S)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))';
const POINTER = '(?:/(?:[^~/]|~0|~1)*)*';
const HEX = '[0-9a-fA-F]';

/** Formats without a pattern here are not compared with patterns. */
export const FORMAT_PATTERNS: Readonly<Record<string, FormatPattern>> = {
  uuid: { pattern: `^${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}$`, isExact: true },
  ipv4: { pattern: `^(?:${BYTE}\\.){3}${BYTE}$`, isExact: true },
  date: { pattern: `^${YEAR_TO_DAY}$`, isExact: false },
  'date-time': { pattern: `^${YEAR_TO_DAY}[Tt]${TIME}$`, isExact: false },
  time: { pattern: `^${TIME}$`, isExact: false },
  hostname: { pattern: '^[a-zA-Z0-9.-]{1,254}$', isExact: false },
  email: { pattern: '^[^@\\s]+@[^@\\s]+$', isExact: false },
  duration: { pattern: `^(?!P$)P(?:${DAYS}${HOURS}?|(?:[0-9]+W)?)$`, isExact: true },
  ipv6: { pattern: '^(?=[^:]*:)[0-9a-fA-F:.]{2,45}$', isExact: false },
  'json-pointer': { pattern: `^${POINTER}$`, isExact: true },
  'relative-json-pointer': { pattern: `^(?:0|[1-9][0-9]*)(?:#|${POINTER})$`, isExact: true },
  byte: {
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    isExact: true,
  },
  base64url: {
    pattern: '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?={0,2}$',
    isExact: true,
  },
  uri: { pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s]*$', isExact: false },
};
