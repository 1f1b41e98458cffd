// The tests of the JSON-Schema-Test-Suite that fail, by reason.

/** By reason: the start of the names of the tests, `file: group: test`, and their number, by default 1. */
export type Failures = Readonly<Record<string, readonly (string | readonly [string, number])[]>>;

export const REQUIRED_FAILURES: Failures = {
  'Formats of a contract are enforced': [
    ...['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'json-pointer'],
    ...['regex', 'relative-json-pointer', 'time', 'uri', 'uri-reference', 'uri-template', 'uuid'],
  ].map(
    (name) => `format: ${name} format: invalid ${name} string is only an annotation by default`,
  ),
  'The vocabularies of a metaschema do not change the meaning of keywords': [
    'vocabulary: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates',
  ],
};

export const OPTIONAL_FAILURES: Failures = {
  'A bound that a double cannot represent is refused': [
    ['optional/bignum: float comparison with high precision', 2],
  ],
  'Formats of internationalized names are annotations': [
    ['optional/format/idn-email:', 2],
    ['optional/format/idn-hostname:', 34],
    ['optional/format/iri:', 4],
    ['optional/format/iri-reference:', 2],
  ],
  'Quoted local parts and address literals are refused': [['optional/format/email:', 5]],
  'A pattern that is invalid with the flag `u` is read without it': [
    'optional/format/ecmascript-regex:',
  ],
  'The vocabularies of a metaschema are not read, and `$schema` does not change the dialect': [
    'optional/cross-draft:',
  ],
};
