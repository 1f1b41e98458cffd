// The contract of the second workload: 30 parameters and a body of 200 properties.
const PARAMETERS = 30;
const PROPERTIES = 200;

type Schema = Readonly<Record<string, unknown>>;

interface Kind {
  readonly schema: Schema;
  readonly valid: unknown;
  readonly invalid: unknown;
}

const KINDS: readonly Kind[] = [
  { schema: { type: 'integer', minimum: 0, maximum: 1000 }, valid: 42, invalid: 1001 },
  {
    schema: { type: 'string', minLength: 1, maxLength: 20 },
    valid: 'tropical',
    invalid: 'x'.repeat(21),
  },
  { schema: { type: 'string', enum: ['red', 'green', 'blue'] }, valid: 'green', invalid: 'grey' },
  { schema: { type: 'number', exclusiveMaximum: 10 }, valid: 2.5, invalid: 10.5 },
  { schema: { type: 'boolean' }, valid: true, invalid: 'perhaps' },
];

const LOCATIONS = ['query', 'query', 'query', 'header', 'path'] as const;

const kindAt = (at: number) => KINDS[Math.floor(at / LOCATIONS.length + at) % KINDS.length]!;
const parameters = Array.from({ length: PARAMETERS }, (_, at) => {
  const where = LOCATIONS[at % LOCATIONS.length]!;
  const name = where === 'header' ? `x-p${at}` : `p${at}`;
  return { name, in: where, required: true, kind: kindAt(at) };
});
const properties = Array.from(
  { length: PROPERTIES },
  (_, at) => [`property${at}`, kindAt(at)] as const,
);
const namesIn = (where: string) => parameters.filter((each) => each.in === where);

const content = (schema: Schema) => ({ 'application/json': { schema } });

export const wideContract = {
  openapi: '3.1.0',
  info: { title: 'Wide', version: '1.0.0' },
  paths: {
    [`/items/${namesIn('path')
      .map(({ name }) => `{${name}}`)
      .join('/')}`]: {
      post: {
        operationId: 'putItem',
        parameters: parameters.map(({ kind: { schema }, ...rest }) => ({ ...rest, schema })),
        requestBody: {
          required: true,
          content: content({
            type: 'object',
            required: properties.map(([name]) => name),
            properties: Object.fromEntries(properties.map(([name, { schema }]) => [name, schema])),
          }),
        },
        responses: {
          200: {
            description: 'accepted',
            content: content({
              type: 'object',
              required: ['accepted'],
              properties: { accepted: { type: 'boolean' } },
            }),
          },
        },
      },
    },
  },
};

export interface WideRequest {
  readonly label: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * @param changed the name of the parameter or property that has another value
 * @param value undefined to omit it
 */
function requestWith(label: string, changed = '', value?: unknown): WideRequest {
  const valueIn = (name: string, { valid }: Kind) => (name === changed ? value : valid);
  const pairs = (where: string) =>
    namesIn(where)
      .map(({ name, kind }) => [name, valueIn(name, kind)] as const)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]): [string, string] => [name, String(each)]);
  const query = new URLSearchParams(pairs('query'));
  const body = properties.map(([name, kind]) => [name, valueIn(name, kind)]);
  return {
    label,
    path: `/items/${pairs('path')
      .map(([, each]) => each)
      .join('/')}?${query}`,
    headers: Object.fromEntries(pairs('header')),
    body: JSON.stringify(Object.fromEntries(body)),
  };
}

export const validRequest = requestWith('valid');

/** Each parameter and each property with an invalid value; all but path parameters also without one. */
export const invalidRequests: readonly WideRequest[] = [
  ...parameters.map(({ name, in: where, kind }) => ({ name, where, kind })),
  ...properties.map(([name, kind]) => ({ name, where: 'body', kind })),
].flatMap(({ name, where, kind }) => [
  requestWith(`invalid ${where} ${name}`, name, kind.invalid),
  ...(where === 'path' ? [] : [requestWith(`no ${where} ${name}`, name)]),
]);
