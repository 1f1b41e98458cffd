// Combines the conjuncts of a term keyword by keyword.
import {
  type Direction,
  INTEGER_FORMATS,
  isBinary,
  isHidden,
  isNumber,
  type Numeric,
  type Schema,
} from '@stubwright/contract';
import { canonical, type Type, typeOf, VALUE_TYPES } from '../values/formatting.ts';
import {
  type Bound,
  type Decimal,
  isEmpty,
  isStricter,
  leastCommonMultiple,
  type NumberSet,
  ONE,
  steppedBound,
  toDecimal,
} from '../values/numberSet.ts';
import { accepts, isFreeText } from './membership.ts';
import { allOf, type Conjunct, type Term } from './term.ts';
import { allowsNothing, isTrivial } from './trivial.ts';
import { isTextual, type Wire, wireOfProperty } from './wire.ts';

/** Maximum size of an integer range that is compared value by value. */
const MAX_RANGE = 100;
/** Types whose values have a text. */
export const SCALARS: readonly Type[] = ['boolean', 'integer', 'nonInteger'];

export class View {
  readonly direction: Direction;
  readonly term: Term;
  readonly wire: Wire;
  readonly conjuncts: readonly Conjunct[];
  readonly types: ReadonlySet<Type>;
  /** True if the text of any scalar is valid. */
  readonly isFreeText: boolean;
  /** True for any bytes: a part of a form. */
  readonly isFile: boolean;
  #values: ReadonlyMap<string, unknown> | undefined;
  #properties: ReadonlyMap<string, readonly Schema[]> | undefined;
  readonly #hidden = new Map<string, boolean>();
  readonly #views = new Map<string, View>();
  #propertyNames: readonly string[] | undefined;
  #required: readonly string[] | undefined;

  constructor(direction: Direction, term: Term, wire: Wire) {
    this.direction = direction;
    this.term = term;
    this.wire = wire;
    this.conjuncts = term.conjuncts;
    const types = this.#jsonTypes();
    this.isFreeText = isTextual(wire) && types.has('string') && isFreeText(this.conjuncts);
    // Since OpenAPI 3.1, an empty schema stands for bytes.
    const areBytes = ({ schema }: Conjunct) => isBytes(schema);
    this.isFile = this.isFreeText && term.conjuncts.every(areBytes);
    if (this.isFreeText) for (const type of this.isFile ? VALUE_TYPES : SCALARS) types.add(type);
    this.types = types;
  }

  /** The types of JSON values. */
  #jsonTypes(): Set<Type> {
    const { only } = this.term;
    if (this.conjuncts.some(({ schema }) => allowsNothing(schema))) return new Set();
    const isWhole = this.conjuncts.some(
      ({ schema: { keywords } }) =>
        Object.hasOwn(INTEGER_FORMATS, keywords.format) || Number.isInteger(keywords.multipleOf),
    );
    return new Set(
      VALUE_TYPES.filter((type) => type !== 'object' || !this.#lacksRequired()).filter(
        (type) =>
          this.conjuncts.every((conjunct) => allows(conjunct, type)) &&
          !(isWhole && type === 'nonInteger') &&
          (only === undefined || ('type' in only ? only.type : typeOf(only.value)) === type),
      ),
    );
  }

  /** True if a closed schema requires a property that it does not declare: no object is valid. */
  #lacksRequired(): boolean {
    const closed = this.conjuncts.filter(({ schema }) => {
      const rest = schema.child('additionalProperties');
      return rest?.isNever && schema.map('patternProperties').size === 0;
    });
    return closed.some(({ schema }) =>
      this.required.some((name) => !schema.map('properties').has(name)),
    );
  }

  /** @returns the JSON pointer of the first keyword that occurs, otherwise of the term */
  at(...keywords: string[]): string {
    for (const { schema } of this.conjuncts) {
      const keyword = keywords.find((keyword) => schema.has(keyword));
      if (keyword !== undefined) return schema.pointerTo(keyword);
    }
    return this.term.at;
  }

  /** @returns the distinct values of a keyword in the conjuncts */
  all(keyword: string): unknown[] {
    const values: unknown[] = [];
    for (const { schema } of this.conjuncts) {
      const value: unknown = schema.keywords[keyword];
      if (value !== undefined) values.push(value);
    }
    if (values.length < 2) return values;
    return [...new Map(values.map((value) => [canonical(value), value])).values()];
  }

  has(...types: Type[]): boolean {
    return types.some((type) => this.types.has(type));
  }

  /** False only if no value is valid. */
  get hasValues(): boolean {
    if (this.types.size === 0) return false;
    const areNumbers = [...this.types].every((each) => each === 'integer' || each === 'nonInteger');
    return !areNumbers || !isEmpty(this.numbers({ areIntegers: !this.has('nonInteger') }));
  }

  /** True if the values are listed by `enum` or `const`. */
  get isEnumerated(): boolean {
    const { only } = this.term;
    return (only !== undefined && 'value' in only) || this.#listed !== undefined;
  }

  get #listed(): readonly unknown[] | undefined {
    const lists = this.conjuncts.flatMap(({ schema: { keywords } }) => {
      const list: unknown = keywords.const === undefined ? keywords.enum : [keywords.const];
      return Array.isArray(list) ? [list] : [];
    });
    return lists[0];
  }

  /** The valid values by canonical JSON, or by text; undefined if their number is not small. */
  get values(): ReadonlyMap<string, unknown> | undefined {
    if (this.#values !== undefined) return this.#values;
    const candidates = this.#candidates();
    if (candidates === undefined) return undefined;
    const valid = candidates.filter((candidate) => this.accepts(candidate));
    this.#values = new Map(valid.map((value) => [this.#keyOf(value), value]));
    return this.#values;
  }

  #candidates(): readonly unknown[] | undefined {
    const { only } = this.term;
    if (only !== undefined && 'value' in only) return [only.value];
    const listed = this.#listed;
    if (listed !== undefined) return this.has('null') ? [...listed, null] : listed;
    if (this.has('nonInteger', 'string', 'array', 'object')) return undefined;
    const range = this.has('integer') ? this.#range() : [];
    return range && [null, true, false, ...range];
  }

  #range(): readonly unknown[] | undefined {
    const [from, to] = [this.bound('minimum')?.value, this.bound('maximum')?.value].map(Number);
    if (!(to! - from! < MAX_RANGE)) return undefined;
    return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index);
  }

  #keyOf(value: unknown): string {
    const isText = isTextual(this.wire) && typeof value !== 'object';
    return canonical(isText ? String(value) : value);
  }

  accepts(value: unknown): boolean {
    return accepts(this, value);
  }

  /** @returns the strictest bound on one side, which a format or `multipleOf` may imply */
  bound(side: 'minimum' | 'maximum'): Bound | undefined {
    const explicit = this.explicitBound(side);
    const implied = this.all('format').flatMap((format): Bound[] => {
      if (!Object.hasOwn(INTEGER_FORMATS, format as string)) return [];
      const [min, max] = INTEGER_FORMATS[format as string]!;
      return [{ value: side === 'minimum' ? min : max, isExclusive: false }];
    });
    return strictest([...implied, ...(explicit === undefined ? [] : [explicit])], side);
  }

  /** @returns the strictest bound that keywords set on one side */
  explicitBound(side: 'minimum' | 'maximum'): Bound | undefined {
    if (this.isFreeText) return undefined;
    const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    const bounds = this.conjuncts.flatMap(({ schema: { keywords } }): Bound[] =>
      [
        { value: keywords[side] as Numeric, isExclusive: false },
        { value: keywords[exclusive] as Numeric, isExclusive: true },
      ].filter(({ value }) => isNumber(value)),
    );
    const step = this.step({ areIntegers: !this.has('nonInteger') });
    return strictest(
      bounds.map((bound) => (step === undefined ? bound : steppedBound(bound, side, step))),
      side,
    );
  }

  /** @returns the least common multiple of `multipleOf`; undefined without a step */
  step({ areIntegers }: { readonly areIntegers: boolean }): Decimal | undefined {
    const steps = this.isFreeText ? [] : (this.all('multipleOf') as Numeric[]);
    const decimals = [
      ...(areIntegers ? [ONE] : []),
      ...steps.filter((step) => step > 0).map(toDecimal),
    ];
    return decimals.length === 0 ? undefined : decimals.reduce(leastCommonMultiple);
  }

  /** @returns the valid numbers, apart from other keywords than bounds, `multipleOf` and formats */
  numbers({ areIntegers }: { readonly areIntegers: boolean }): NumberSet {
    const [minimum, maximum] = [this.bound('minimum'), this.bound('maximum')];
    return { minimum, maximum, step: this.step({ areIntegers }) };
  }

  /** True for a readOnly property of a request and a writeOnly property of a response. */
  isHidden(name: string): boolean {
    const known = this.#hidden.get(name);
    if (known !== undefined) return known;
    const isHiddenOne = this.properties(name).some((property) =>
      isHidden(property, this.direction),
    );
    this.#hidden.set(name, isHiddenOne);
    return isHiddenOne;
  }

  get propertyNames(): readonly string[] {
    this.#propertyNames ??= this.#visible(({ schema }) => schema.map('properties').keys());
    return this.#propertyNames;
  }

  get required(): readonly string[] {
    this.#required ??= this.#visible(({ schema }) =>
      Array.isArray(schema.keywords['required']) ? schema.keywords['required'] : [],
    );
    return this.#required;
  }

  /** @returns the distinct names of properties that are not hidden */
  #visible(names: (conjunct: Conjunct) => Iterable<string>): string[] {
    const all = this.conjuncts.flatMap((conjunct) => [...names(conjunct)]);
    return [...new Set(all)].filter((name) => !this.isHidden(name));
  }

  /** @returns the view of a declared property */
  property(name: string): View {
    let view = this.#views.get(name);
    if (view === undefined) {
      const term = allOf(this.properties(name), this.term.at);
      view = new View(this.direction, term, wireOfProperty(this.wire));
      this.#views.set(name, view);
    }
    return view;
  }

  /** @returns the schemas of a declared property */
  properties(name: string): readonly Schema[] {
    this.#properties ??= this.#propertiesByName();
    return this.#properties.get(name) ?? [];
  }

  #propertiesByName(): Map<string, Schema[]> {
    const all = new Map<string, Schema[]>();
    for (const { schema } of this.conjuncts) {
      for (const [name, each] of schema.map('properties')) {
        const known = all.get(name);
        if (known === undefined) all.set(name, [each]);
        else known.push(each);
      }
    }
    return all;
  }
}

/** True for binary strings and, since OpenAPI 3.1, for a schema without more than a media type. */
function isBytes(schema: Schema): boolean {
  const { types, keywords } = schema;
  const isOfMediaType =
    types === undefined &&
    keywords['contentMediaType'] !== undefined &&
    keywords['contentEncoding'] === undefined &&
    !/json$/i.test(String(keywords['contentMediaType']));
  return isBinary(schema) || isTrivial(schema) || isOfMediaType;
}

function strictest(bounds: readonly Bound[], side: 'minimum' | 'maximum'): Bound | undefined {
  return bounds.reduce<Bound | undefined>(
    (best, bound) => (best === undefined || isStricter(bound, best, side) ? bound : best),
    undefined,
  );
}

function allows({ schema, isNullable }: Conjunct, type: Type): boolean {
  const { types } = schema;
  if (types === undefined || (type === 'null' && isNullable)) return true;
  if (type === 'integer') return types.has('integer') || types.has('number');
  return types.has(type === 'nonInteger' ? 'number' : type);
}
