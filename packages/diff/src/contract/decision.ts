// Decides the severity of a difference of schemas: in one order, with the reason and the value that shows it.
import {
  Content,
  Contract,
  type Direction,
  type Schema,
  stringifyJson,
  valueAt,
} from '@stubwright/contract';
import { type Holders, isJsonText } from '../counterexample/carrier.ts';
import type { Counterexample, Counterexamples } from '../counterexample/counterexamples.ts';
import { applying, areRelated, inside, type Spot, segmentsOf } from '../counterexample/spot.ts';
import { type ChangeExample, type DecidedBy, directedChange } from '../rules/rules.ts';
import type { Difference, ValuePair } from '../schema/differences.ts';
import { implies } from '../schema/implication.ts';
import { lengthsOf } from '../schema/language.ts';
import { requiredIn } from '../schema/memberTruths.ts';
import { referenced } from '../schema/term.ts';
import { allowsNothing, isAnnotation } from '../schema/trivial.ts';
import type { Unchanged } from '../schema/unchanged.ts';
import { VALUE_TYPES } from '../values/formatting.ts';

/** A severity and its basis. */
interface Outcome extends Pick<Difference, 'severity' | 'effect'> {
  readonly by: DecidedBy;
  readonly example?: ChangeExample | undefined;
}

/** A difference with its final severity. */
export interface DecidedDifference
  extends Omit<Difference, 'values' | 'concernsValues' | 'isDecided'>,
    Outcome {}

const UNPROVEN = 'Keywords differ, but no generated value shows a difference; review this change.';
const HARMLESS = {
  severity: 'compatible',
  effect: 'Other keywords have the same effect: no client notices it.',
  by: 'implication',
} as const;
const MAX_CHANGED_PARTS = 12;
/** For a difference without an example, values of this many schemas that contain it are tried. */
const MAX_ATTEMPTS = 3;
const MAX_VALUE_LENGTH = 120;
const MAX_ERROR_LENGTH = 200;

/** Decides the differences of schemas of two contracts. */
export class Decider {
  readonly #counterexamples: Counterexamples;
  readonly #unchanged: Unchanged;
  /** Whether every value that is sent is accepted, by direction and the pointers of both schemas. */
  readonly #harmless = new Map<string, boolean>();
  /** The differences of two schemas, by their transport: many operations may share them. */
  readonly #decided = new WeakMap<readonly Difference[], Map<string, DecidedDifference[]>>();
  /** Decisions of a finding with the schemas around it, in any JSON body. */
  readonly #shared = new Map<string, { outcome: Outcome; attempts: number }>();

  constructor(counterexamples: Counterexamples, unchanged: Unchanged) {
    this.#counterexamples = counterexamples;
    this.#unchanged = unchanged;
  }

  /**
   * Decides all differences of two schemas.
   *
   * @param holders of the schemas: their values are transported as those of the holders
   */
  decided(
    differences: readonly Difference[],
    holders: Holders,
    direction: Direction,
  ): readonly DecidedDifference[] {
    const known = this.#decided.get(differences) ?? new Map<string, DecidedDifference[]>();
    this.#decided.set(differences, known);
    const key = `${direction} ${transportOf(holders)}`;
    const decided = known.get(key) ?? this.#decideAll(differences, holders, direction);
    known.set(key, decided);
    return decided;
  }

  #decideAll(
    differences: readonly Difference[],
    holders: Holders,
    direction: Direction,
  ): DecidedDifference[] {
    const isJson = isJsonOf(holders);
    const found = differences.map((difference) => {
      const isShared = isJson && difference.severity === 'breaking';
      const outcome = isShared
        ? this.#sharedOutcomeOf(difference, holders, direction)
        : this.#outcomeOf(difference, holders, direction);
      return { ...difference, ...outcome };
    });
    const isBreaking = found.some(({ severity }) => severity === 'breaking');
    // Its value is refused, as announced.
    const isAnnounced = found.some(({ facts, severity }) => {
      return facts?.['announced'] !== undefined && severity !== 'breaking';
    });
    if (isBreaking || isAnnounced) return found;
    // Keywords that the rules classify one by one may refuse a value together.
    const parts = differences.length === 0 ? changedParts(holders, this.#unchanged) : differences;
    for (const difference of parts) {
      const { rule, values, severity } = difference;
      const isRuled =
        (differences.length === 0 || severity === 'compatible') && !this.#unchanged.hasIdentifiers;
      if (rule === 'documentation-changed' || (isRuled && areIndependent(values))) continue;
      if (this.#isHarmless(values, direction)) continue;
      const { counterexample } = this.#counterexamples.find(difference, holders, direction);
      if (counterexample !== undefined) {
        return withExample(found, counterexample, direction, holders);
      }
    }
    return found;
  }

  #sharedOutcomeOf(difference: Difference, holders: Holders, direction: Direction): Outcome {
    const { rule, what, before, after, path, values } = difference;
    const around = `${path.includes('(')} ${keyOf(values)}`;
    const key = [direction, rule, what, before, after, around].join('\n');
    const known = this.#shared.get(key);
    const isFinal = known?.outcome.example !== undefined || known?.attempts === MAX_ATTEMPTS;
    if (known !== undefined && isFinal) return known.outcome;
    const outcome = this.#outcomeOf(difference, holders, direction);
    this.#shared.set(key, { outcome, attempts: (known?.attempts ?? 0) + 1 });
    return outcome;
  }

  #outcomeOf(difference: Difference, holders: Holders, direction: Direction): Outcome {
    const { severity, effect, concernsValues, isDecided, values, rule } = difference;
    const byRule = { severity, effect, by: isDecided ? 'automaton' : 'rule' } as const;
    if (severity === 'compatible') return byRule;
    if (isWithoutEffect(difference)) return HARMLESS;
    const isOverlap = rule.endsWith('-alternatives-overlap');
    if (severity === 'risky') {
      const isHarmless = (concernsValues || isOverlap) && this.#isHarmless(values, direction);
      return isHarmless ? HARMLESS : byRule;
    }
    const found = this.#counterexamples.find(difference, holders, direction);
    const example = found.counterexample && exampleOf(found.counterexample);
    // The text of another type may be accepted with another meaning.
    const isOtherText = values.wire !== 'json' && rule.endsWith('-type-changed');
    if (example !== undefined || !concernsValues || isOtherText) return { ...byRule, example };
    const isRefused = found.isPartRefused && values.outer === undefined;
    if (isRefused || isProvenByRules(difference, direction)) return byRule;
    if (this.#isHarmless(values, direction)) return HARMLESS;
    if (!found.isConclusive) return byRule;
    return { severity: 'risky', effect: UNPROVEN, by: 'samples' };
  }

  /** True if every value that is sent is accepted: of the part, or of what contains it. */
  #isHarmless({ before, after, wire, outer }: ValuePair, direction: Direction): boolean {
    if (wire !== 'json') return false;
    const pointers = [before, after].map((list) => list.map(({ pointer }) => pointer));
    const key = `${direction} ${pointers.join(' > ')}`;
    const isImplied =
      this.#harmless.get(key) ??
      (direction === 'request' ? implies(before, after) : implies(after, before));
    this.#harmless.set(key, isImplied);
    return isImplied || (outer !== undefined && this.#isHarmless(outer, direction));
  }
}

/** @returns the same for all schemas whose values are transported alike */
function transportOf({ before, after }: Holders): string {
  if (!isJsonOf({ before, after })) {
    return [before, after].map(({ name, value }) => `${name} ${value.pointer}`).join(' > ');
  }
  return [before, after].map(({ value }) => referenced(value.schema!).pointer).join(' > ');
}

function isJsonOf({ before, after }: Holders): boolean {
  return [before, after].every(({ name, value }) => value instanceof Content && isJsonText(name));
}

function keyOf({ before, after, wire, outer }: ValuePair): string {
  const own = [before, after].map((list) => list.map(({ pointer }) => pointer).join()).join(' > ');
  return `${wire} ${own}${outer === undefined ? '' : `\n${keyOf(outer)}`}`;
}

/** @returns the parts of two schemas that differ although no rule names a difference */
function changedParts({ before, after }: Holders, unchanged: Unchanged): Difference[] {
  const whole = { before: [before.value.schema!], after: [after.value.schema!] };
  const pending: { readonly spot: Spot; readonly segments: readonly (string | null)[] }[] = [
    { spot: whole, segments: [] },
  ];
  for (const { spot, segments } of pending) {
    const own = applying([...spot.before, ...spot.after]);
    const names = new Set(own.flatMap((schema) => [...schema.map('properties').keys()]));
    for (const segment of [
      ...names,
      ...(own.some((schema) => schema.has('items')) ? [null] : []),
    ]) {
      const inner = inside(spot, segment);
      const isUnchanged =
        inner.before.length === inner.after.length &&
        inner.before.every((schema, at) => unchanged.hasSchema(schema, inner.after[at]!));
      if (!isUnchanged && pending.length < MAX_CHANGED_PARTS) {
        pending.push({ spot: inner, segments: [...segments, segment] });
      }
    }
  }
  return pending.map(({ spot, segments }) => ({
    ...{ rule: 'request-values-changed', severity: 'risky', what: '', effect: '' },
    ...{ before: before.value.pointer, after: after.value.pointer },
    ...{ concernsValues: true, isDecided: false, path: '', segments },
    values: { ...spot, wire: 'json', outer: undefined },
  }));
}

/** @returns the differences; breaking is the risky one nearest to the refused part, else an additional one */
function withExample(
  differences: readonly DecidedDifference[],
  counterexample: Counterexample,
  direction: Direction,
  holders: Holders,
): DecidedDifference[] {
  const { path } = counterexample;
  const segments = segmentsOf(path);
  const { rule, what, ...outcome } = directedChange('values-changed', { direction });
  const proof = { ...outcome, by: 'samples', example: exampleOf(counterexample) } as const;
  const nearest = differences
    .filter(
      (difference) => difference.severity === 'risky' && areRelated(difference.segments, segments),
    )
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (nearest !== undefined) {
    return differences.map((difference) =>
      difference === nearest ? { ...difference, ...proof } : difference,
    );
  }
  const [before, after] = [holders.before, holders.after].map(
    ({ value }) => referenced(value.schema!).pointer,
  );
  return [{ ...proof, rule, what, path, segments, before: before!, after: after! }, ...differences];
}

/** Of a long value, the refused part: the error has its path. */
function exampleOf({ value, path, message }: Counterexample): ChangeExample {
  const whole = stringifyJson(value);
  const shown = whole.length > MAX_VALUE_LENGTH ? valueAt(value, path) : value;
  return {
    value: shortened(shown === undefined ? whole : stringifyJson(shown), MAX_VALUE_LENGTH),
    error: shortened(message, MAX_ERROR_LENGTH),
  };
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Without any of these, a declared property may be there, and an optional one may be absent. */
const RESTRICTING = [
  ...['propertyNames', 'patternProperties', 'maxProperties', 'minProperties', 'const', 'enum'],
  ...['not', 'if', 'anyOf', 'oneOf', 'dependentRequired', 'dependentSchemas'],
  'unevaluatedProperties',
];

/**
 * True for the removal of a property that was never there, or that other keywords still restrict in the same way,
 * and for a required one that always was.
 */
function isWithoutEffect({ rule, facts, values }: Difference): boolean {
  const { before, after, wire } = values;
  const isRemoved = /^(?:request|response)-property-removed$/.test(rule);
  if (!isRemoved && !rule.endsWith('-required-property-added')) return false;
  if (wire !== 'json') return false;
  if (!isRemoved) return before.some(isRestricting) && implies(before, after);
  const name = String(facts?.['name']);
  const isAbsentIn = (schemas: readonly Schema[]) =>
    implies(schemas, [schemaWithout(name, schemas[0]!)]);
  if (before.some(isRestricting) && isAbsentIn(before)) return true;
  if (!after.some((schema) => mentions(schema, name)) || !implies(after, before)) return false;
  // In a request, the value of the property is refused where the newer contract restricts it further.
  return !isAbsentIn(after) && (rule.startsWith('response-') || implies(before, after));
}

/** Keywords whose effect depends on others, or that are not satisfied by more values if their subschemas are. */
const DEPENDENT = [
  ...['propertyNames', 'patternProperties', 'maxProperties', 'minProperties', 'not', 'if'],
  ...['anyOf', 'oneOf', 'dependentRequired', 'dependentSchemas', 'contains', 'prefixItems'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'discriminator'],
];

/** True if each keyword restricts values by itself: then all together allow no less if each rule allows no less. */
function areIndependent({ before, after, wire }: ValuePair): boolean {
  // The text of a value that has one type is that value.
  const isRead = wire === 'json' || haveOneType(conjunctsOf(before), conjunctsOf(after));
  return isRead && [before, after].every(haveIndependentKeywords);
}

function haveOneType(...sides: readonly (readonly Schema[])[]): boolean {
  return TEXTUAL.some((textual) =>
    sides.every((conjuncts) =>
      conjuncts.some(
        ({ types }) => types !== undefined && [...types].every((type) => textual.has(type)),
      ),
    ),
  );
}

function haveIndependentKeywords(schemas: readonly Schema[]): boolean {
  return haveNoDependentKeywords(schemas, (schema) => {
    const branches = [...schema.list('oneOf'), ...schema.list('anyOf')];
    return branches.length > 0 && haveIndependentBranches(schema, branches);
  });
}

/** @param isExempt for schemas whose keywords are independent all the same */
function haveNoDependentKeywords(
  schemas: readonly Schema[],
  isExempt: (schema: Schema) => boolean = () => false,
): boolean {
  const conjuncts = conjunctsOf(schemas);
  const declared = new Set(conjuncts.flatMap((schema) => [...schema.map('properties').keys()]));
  return conjuncts.every(
    (schema) =>
      (!hasAny(schema, DEPENDENT) || isExempt(schema)) &&
      requiredIn(schema).every((name) => declared.has(name)),
  );
}

/** True for alternatives without keywords beside them that share no type: a value satisfies at most one. */
function haveIndependentBranches({ written }: Schema, branches: readonly Schema[]): boolean {
  const keywords = Object.keys(Object(written)).filter((keyword) => !isAnnotation(keyword));
  if (keywords.filter((keyword) => keyword !== 'nullable').length !== 1) return false;
  const types = branches.flatMap((branch) => {
    const typed = conjunctsOf([branch]).find((conjunct) => conjunct.types !== undefined);
    const kinds = [...(typed?.types ?? VALUE_TYPES)];
    return kinds.map((type) => (type === 'integer' ? 'number' : type));
  });
  const areApart = new Set(types).size === types.length;
  return areApart && branches.every((branch) => haveNoDependentKeywords([branch]));
}

/** True if a subschema for the same value names a property: a condition, a branch or a negation. */
function mentions(schema: Schema, name: string): boolean {
  const all = new Set([schema]);
  for (const each of all) for (const inner of each.inPlace) all.add(inner);
  return [...all].some((part) => part.map('properties').has(name));
}

function isRestricting(schema: Schema): boolean {
  return schema.conjuncts.some((conjunct) => RESTRICTING.some((keyword) => conjunct.has(keyword)));
}

/** @returns a schema of the objects without a property, in the version of another schema */
function schemaWithout(name: string, { model }: Schema): Schema {
  const definition = new Contract({
    openapi: model.definition.isVersion30 ? '3.0.3' : '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: { Without: { not: { type: 'object', required: [name] } } } },
  });
  return definition.schemas.get('Without')!;
}

/** Rules of lengths, counts and names, without the direction. */
const DECIDED = /^(?:min|max)-(?:length|items|properties)-|^property-disallowed$/;
const LENGTHS = ['Length', 'Items', 'Properties'];

const NUMBERS = /^(?:minimum|maximum|multiple-of)-/;

/** Keywords that may restrict numbers, besides bounds, `multipleOf` and the ranges of formats. */
const OPAQUE_FOR_NUMBERS = [
  ...['not', 'if', 'const', 'enum', 'oneOf', 'anyOf', 'dependentSchemas'],
];
/** Keywords of an object that may restrict its properties. */
const CONDITIONS = ['if', 'dependentSchemas'];
const NUMERIC: ReadonlySet<string> = new Set(['integer', 'number']);
/** A text that is read as one of the types of a set has a single value. */
const TEXTUAL = [NUMERIC, new Set(['string']), new Set(['boolean'])];

/** Keywords that may imply a bound, or that apply to some values only. */
const OPAQUE = [
  ...['format', 'not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  'dependentRequired',
  ...['dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'uniqueItems', 'const'],
  ...['enum', 'oneOf', 'anyOf', 'contentSchema'],
];

/** True if no other keyword of the sender's schemas may imply the changed one. */
export function isProvenByRules(
  { rule, path, values, isDecided }: Difference,
  direction: Direction,
): boolean {
  const name = rule.slice(direction.length + 1);
  const isArithmetic = isDecided || DECIDED.test(name);
  if (!isArithmetic || path.includes('(')) return false;
  const around = direction === 'request' ? values.outer?.before : values.outer?.after;
  if (conjunctsOf(around ?? []).some((conjunct) => hasAny(conjunct, CONDITIONS))) return false;
  if (NUMBERS.test(name)) return isProvenForNumbers(values, direction);
  // A parameter of the path is never empty, and the text of a number has a length.
  if (values.wire !== 'json') return false;
  const sender = conjunctsOf(direction === 'request' ? values.before : values.after);
  return sender.length > 0 && !sender.some(isOpaque) && !areImpossible(sender);
}

/** The text of a number is that number wherever only numbers are valid. */
function isProvenForNumbers({ before, after, wire }: ValuePair, direction: Direction): boolean {
  const [sender, receiver] = (direction === 'request' ? [before, after] : [after, before]).map(
    conjunctsOf,
  );
  const areOnlyNumbers = ({ types }: Schema) =>
    types !== undefined && [...types].every((jsonType) => NUMERIC.has(jsonType));
  if (wire !== 'json' && ![sender!, receiver!].every((list) => list.some(areOnlyNumbers))) {
    return false;
  }
  return sender!.length > 0 && !sender!.some((schema) => hasAny(schema, OPAQUE_FOR_NUMBERS));
}

function hasAny(schema: Schema, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => schema.has(keyword));
}

function conjunctsOf(schemas: readonly Schema[]): Schema[] {
  const all = new Set(schemas);
  for (const schema of all) {
    if (schema.ref !== undefined) all.add(schema.ref);
    for (const each of schema.list('allOf')) all.add(each);
  }
  return [...all];
}

function isOpaque(schema: Schema): boolean {
  const { pattern } = schema.keywords;
  if (typeof pattern === 'string' && lengthsOf(pattern) === undefined) return true;
  return hasAny(schema, OPAQUE);
}

/** True if no length satisfies the schemas, or a property is required that they do not allow. */
function areImpossible(schemas: readonly Schema[]): boolean {
  const required = new Set(schemas.flatMap(requiredIn));
  const isRefused = (schema: Schema, name: string) => {
    const own = schema.map('properties').get(name);
    return own !== undefined && allowsNothing(own);
  };
  if (schemas.some((schema) => [...required].some((name) => isRefused(schema, name)))) return true;
  const all = (keyword: string) =>
    schemas
      .map(({ keywords }) => Number(keywords[keyword]))
      .filter((number) => !Number.isNaN(number));
  return LENGTHS.some(
    (suffix) => Math.max(...all(`min${suffix}`)) > Math.min(...all(`max${suffix}`)),
  );
}
