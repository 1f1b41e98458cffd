// Builds labelled pairs of contracts from table rows.

/** The effect on a client of the first contract; no change at all is `compatible`. */
export type Label = 'breaking' | 'risky' | 'compatible';

export interface LabelledPair {
  readonly name: string;
  /** YAML. */
  readonly before: string;
  readonly after: string;
  readonly label: Label;
  /** The reason for the label. */
  readonly why: string;
}

/**
 * A change of a schema. Labels by letter (`B`, `R`, `C`): for the schema in a request and in a
 * response, then for the reverse change in a request and in a response.
 */
export type SchemaRow = readonly [
  what: string,
  before: string,
  after: string,
  labels: string,
  why: string,
];

/** A change outside schemas. Labels for the change and for its reverse; `-` omits the pair. */
export type ContractRow = SchemaRow;

const LABELS: Readonly<Record<string, Label>> = { B: 'breaking', R: 'risky', C: 'compatible' };

const COMPONENTS = `components:
  schemas:
    Cat: {type: object, properties: {kind: {type: string, enum: [cat]}, lives: {type: integer}}, required: [kind]}
    Dog: {type: object, properties: {kind: {type: string, enum: [dog]}, tricks: {type: integer}}, required: [kind]}
    Puppy: {type: object, properties: {kind: {type: string, enum: [dog]}, tricks: {type: integer}}, required: [kind]}
    Car: {type: object, properties: {kind: {type: string}, doors: {type: integer}}, required: [kind, doors]}
    Bus: {type: object, properties: {kind: {type: string}, seats: {type: integer}}, required: [kind, seats]}
    Coach: {type: object, properties: {kind: {type: string}, seats: {type: integer}}, required: [kind, seats]}
    Tree: {type: object, properties: {height: {type: integer}, branches: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
    Shrub: {type: object, properties: {height: {type: integer, maximum: 3}, branches: {type: array, items: {$ref: '#/components/schemas/Shrub'}}}}
`;

/** Only in OpenAPI 3.0. */
const KEYWORDS_OF_30 = /nullable:|exclusiveM\w+: (?:true|false)/;

export function contractOf(parts: string, version = '3.1.0'): string {
  return `openapi: ${version}\ninfo: {title: Toys, version: 1.0.0}\n${parts}\n`;
}

/** Both contracts share the version of OpenAPI if both can have it. */
function versionsOf(before: string, after: string): readonly [string, string] {
  const [was, is] = [before, after].map((each) => KEYWORDS_OF_30.test(each));
  if (was && is) return ['3.0.3', '3.0.3'];
  return [was ? '3.0.3' : '3.1.0', is ? '3.0.3' : '3.1.0'];
}

function sent(schema: string): string {
  return `paths: {/toys: {post: {requestBody: {content: {application/json: {schema: ${schema}}}}, responses: {"204": {description: none}}}}}\n${COMPONENTS}`;
}

function read(schema: string): string {
  return `paths: {/toys: {get: {responses: {"200": {description: toys, content: {application/json: {schema: ${schema}}}}}}}}\n${COMPONENTS}`;
}

/** Uses the schema as that of a property. */
export function schemaPairs([what, before, after, labels, why]: SchemaRow): LabelledPair[] {
  const [was, is] = versionsOf(before, after);
  const ways = [
    [`${what}: sent`, sent, false],
    [`${what}: read`, read, false],
    [`${what}: sent, reverse`, sent, true],
    [`${what}: read, reverse`, read, true],
  ] as const;
  const letters = labels.replace(' ', '');
  return ways.flatMap(([name, place, isReverse], index) => {
    const label = LABELS[letters[index] ?? ''];
    if (label === undefined) return [];
    const inside = (schema: string) => place(`{type: object, properties: {x: ${schema}}}`);
    const pair = [contractOf(inside(before), was), contractOf(inside(after), is)];
    const [first, second] = isReverse ? pair.reverse() : pair;
    return [{ name, before: first!, after: second!, label, why }];
  });
}

export function contractPairs([what, before, after, labels, why]: ContractRow): LabelledPair[] {
  const whole = (parts: string) => (parts.startsWith('openapi:') ? parts : contractOf(parts));
  const pair = [whole(before), whole(after)];
  return [what, `${what}, reverse`].flatMap((name, index) => {
    const label = LABELS[labels[index] ?? ''];
    if (label === undefined) return [];
    const [first, second] = index === 0 ? pair : pair.toReversed();
    return [{ name, before: first!, after: second!, label, why }];
  });
}

/** @returns the pairs of a blind set, whose names differ from those of other sets */
export function blindSet(
  set: string,
  schemas: readonly SchemaRow[],
  contracts: readonly ContractRow[],
): readonly LabelledPair[] {
  const pairs = [...schemas.flatMap(schemaPairs), ...contracts.flatMap(contractPairs)];
  return pairs.map((pair) => ({ ...pair, name: `${set} set: ${pair.name}` }));
}
