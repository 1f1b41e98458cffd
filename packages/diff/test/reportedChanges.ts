// Writes every change of the examples and of the labelled pairs as text: `make transcripts`.
import { writeFileSync } from 'node:fs';
import type { Node } from '@stubwright/contract';
import {
  DOCUMENT_VARIANTS,
  ENCODED_SCHEMAS,
  ENCODING_VARIANTS,
  neighbours,
  PARAMETER_VARIANTS,
  SCHEMA_VARIANTS,
  SECURITY_VARIANTS,
} from '@stubwright/test-support/contractVariants';
import { changesBetween } from '../src/contract/changes.ts';
import type { Change } from '../src/rules/rules.ts';
import { type LabelledPair, PAIRS } from './pairs.ts';
import {
  DOCUMENT_EXAMPLES,
  OPERATION_EXAMPLES,
  SCHEMA_EXAMPLES,
  VALUE_EXAMPLES,
} from './ruleExamples.ts';
import { contractFrom, ofDocument, ofOperation, ofSchema } from './rulesPage.ts';
import { nodeOf } from './toyContract.ts';

export const REPORTED_CHANGES = 'packages/diff/test/reportedChanges.txt';

type Example = readonly [name: string, before: Node, after: Node];

function examples(): readonly Example[] {
  const directions = ['request', 'response'] as const;
  return [
    ...Object.entries(SCHEMA_EXAMPLES).flatMap(([rule, [before, after]]) =>
      directions.map((direction): Example => {
        return [`${direction}-${rule}`, ofSchema(before, direction), ofSchema(after, direction)];
      }),
    ),
    ...Object.entries(VALUE_EXAMPLES).map(([rule, [before, after]]): Example => {
      const direction = rule.startsWith('request') ? 'request' : 'response';
      return [rule, ofSchema(before, direction), ofSchema(after, direction)];
    }),
    ...Object.entries(OPERATION_EXAMPLES).map(
      ([rule, [before, after]]): Example => [rule, ofOperation(before), ofOperation(after)],
    ),
    ...variants(),
    ...Object.entries(DOCUMENT_EXAMPLES).map(
      ([rule, [before, after]]): Example => [rule, ofDocument(before), ofDocument(after)],
    ),
  ];
}

function* variants(): Generator<Example> {
  for (const direction of ['request', 'response'] as const) {
    for (const [before, after] of neighbours(SCHEMA_VARIANTS)) {
      const title = `${direction} ${before} -> ${after}`;
      yield [title, ofSchema(before, direction), ofSchema(after, direction)];
    }
  }
  const ofParameter = (text: string) => ofOperation(`{parameters: [${text}]}`);
  for (const [before, after] of neighbours(PARAMETER_VARIANTS)) {
    yield [`${before} -> ${after}`, ofParameter(before), ofParameter(after)];
  }
  for (const schema of ENCODED_SCHEMAS) {
    const media = `{schema: {type: object, properties: {a: ${schema}}}, encoding: {a: ENCODING}}`;
    for (const [part, body] of Object.entries({
      request: `{requestBody: {content: {multipart/form-data: ${media}}}}`,
      response: `{responses: {200: {content: {multipart/form-data: ${media}}}}}`,
    })) {
      for (const [before, after] of neighbours(ENCODING_VARIANTS)) {
        const [was, is] = [before, after].map((each) =>
          ofOperation(body.replace('ENCODING', () => each)),
        );
        yield [`${part} ${schema} ${before} -> ${after}`, was!, is!];
      }
    }
  }
  for (const list of [DOCUMENT_VARIANTS, SECURITY_VARIANTS]) {
    for (const [before, after] of neighbours(list)) {
      yield [`${before} -> ${after}`, ofDocument(before), ofDocument(after)];
    }
  }
}

const known = new Map<LabelledPair, readonly Change[]>();

/** @returns the changes of a labelled pair, found once */
export function changesOfPair(pair: LabelledPair): readonly Change[] {
  const { before, after } = pair;
  if (!known.has(pair)) known.set(pair, changesOf(nodeOf(before), nodeOf(after)));
  return known.get(pair)!;
}

function changesOf(before: Node, after: Node): readonly Change[] {
  return changesBetween({ definition: contractFrom(before) }, { definition: contractFrom(after) });
}

/** Reaching the limit of steps takes seconds. */
export const SLOW_EXAMPLES: readonly string[] = [
  ...['request-too-complex', 'response-too-complex', 'too-complex'],
];

type Direction = 'request' | 'response';

/** The words of a direction, and those for both. A word of the other direction remains in the text. */
const UNDIRECTED: Readonly<Record<Direction, readonly (readonly [RegExp, string])[]>> = {
  request: [
    [/^request-/, ''],
    [/POST \/toys {2}request body/, 'body'],
    [/\/paths\/~1toys\/post\/requestBody/g, '{body}'],
  ],
  response: [
    [/^response-/, ''],
    [/(?:GET|POST) \/toys {2}response 200/, 'body'],
    [/\/paths\/~1toys\/(?:get|post)\/responses\/200/g, '{body}'],
  ],
};

/** Of a finding: its facts, and those that differ between a request and a response. */
type Facts = readonly [facts: string, differing: string];

/** @returns a line for each finding; `breaking/compatible` in a request and in a response, `-` for none */
export function inBothDirections(
  findings: Readonly<Record<Direction, readonly Facts[]>>,
): string[] {
  const lines = new Map<string, Record<Direction, string[]>>();
  for (const direction of ['request', 'response'] as const) {
    for (const [facts, differing] of findings[direction]) {
      const text = UNDIRECTED[direction].reduce((rest, change) => rest.replace(...change), facts);
      const line = lines.get(text) ?? { request: [], response: [] };
      line[direction].push(differing);
      lines.set(text, line);
    }
  }
  const shown = (texts: readonly string[]) => texts.join(', ') || '-';
  return Array.from(
    lines,
    ([text, { request, response }]) => `${shown(request)}/${shown(response)}  ${text}`,
  );
}

/**
 * @returns the facts of each change of every example but the omitted ones: severity, rule, operations, part, pointer,
 *   refused value; then the wording of each rule, once
 */
export function reportedChanges(omitted: readonly string[] = []): string {
  const found = [
    ...examples()
      .filter(([name]) => !omitted.includes(name))
      .map(([name, before, after]) => [name, changesOf(before, after)] as const),
    ...PAIRS.map((pair) => [pair.name, changesOfPair(pair)] as const),
  ];
  const wordings = new Map(
    found.flatMap(([, changes]) => changes.map(({ rule, ...change }) => [rule, change] as const)),
  );
  const byTitle = Map.groupBy(found, ([name]) =>
    name.replace(/^(?:request|response)[- ]|: (?:sent|read)\b/, ''),
  );
  return [
    ...[...byTitle].flatMap(([title, both]) => {
      const [[name, request], [, response] = []] = both as [(typeof found)[0], (typeof found)[0]?];
      const facts = request.map(factsOf);
      if (response === undefined) {
        return `${name}: ${facts.map((each) => each.toReversed().join('  ')).join('\n  ')}`;
      }
      const lines = inBothDirections({ request: facts, response: response.map(factsOf) });
      return `${title}: ${lines.join('\n  ')}`;
    }),
    ...[...wordings].map(([rule, { what, effect }]) => `${rule}: ${what}. ${effect}`),
    '',
  ]
    .join('\n')
    .replaceAll('{body}/content/application~1json/schema', '{schema}');
}

function factsOf({ severity, rule, operations, part, ...change }: Change): Facts {
  const { before, after, example, otherParts = {} } = change;
  const parts = Object.entries(otherParts).map(([operation, other]) => `${operation}: ${other}`);
  const pointers = before === after ? before : `${before} -> ${after}`;
  const facts = [rule, operations.join(', '), part, ...parts, pointers];
  const differing = [severity, example?.value];
  return [
    facts.filter((fact) => fact !== undefined && fact !== '').join('  '),
    differing.filter((fact) => fact !== undefined && fact !== '').join(' '),
  ];
}

if (import.meta.main) writeFileSync(REPORTED_CHANGES, reportedChanges());
