// Describes where a schema has integers of 64 bits, as expressions of @stubwright/client.
import { discriminatorsOf, isBigint, Reaching, type Schema } from '@stubwright/contract';
import { Code, expressionOf } from './code.ts';
import { mayConflict } from './conflicts.ts';
import type { Constants } from './constants.ts';
import type { SchemaCode } from './schemaCode.ts';

/** The expressions of one module. */
export class ExactCode {
  readonly #constants: Constants;
  readonly #schemas: SchemaCode;
  readonly #needed = new Reaching(isBigint);

  constructor(constants: Constants, schemas: SchemaCode) {
    this.#constants = constants;
    this.#schemas = schemas;
  }

  /** @returns undefined for a schema without integers of 64 bits */
  of(schema: Schema | undefined): Code | undefined {
    if (schema === undefined || !this.#needed.from(schema)) return undefined;
    return this.#constants.shared('exact', schema, () => this.#expression(schema));
  }

  #expression(schema: Schema): Code {
    if (isBigint(schema)) return new Code('1');
    const inherited = [schema.ref, ...schema.list('allOf')].map((each) => this.of(each));
    return allOf([...this.#own(schema), ...inherited]);
  }

  /** Without those of `$ref` and `allOf`. */
  #own(schema: Schema): (Code | undefined)[] {
    if (isBigint(schema)) return [new Code('1')];
    return [
      this.#holder(schema),
      ...this.#alternatives(schema),
      ...this.#selected(schema),
      this.#conditional(schema),
      this.#dependent(schema),
    ];
  }

  #holder(schema: Schema): Code | undefined {
    const named = [...schema.map('properties')];
    const properties = named.flatMap(([name, each]) => {
      const exact = this.of(each);
      return exact === undefined ? [] : [[name, exact] as const];
    });
    const patterns = [...schema.map('patternProperties')].flatMap(([pattern, each]) => {
      const exact = this.of(each);
      return exact === undefined ? [] : [[new RegExp(pattern, 'u'), exact]];
    });
    const others = this.of(
      schema.child('additionalProperties') ?? schema.child('unevaluatedProperties'),
    );
    const first = schema.list('prefixItems').map((each) => this.of(each) ?? 0);
    const items = this.of(schema.child('items') ?? schema.child('unevaluatedItems'));
    const plain = named
      .map(([name]) => name)
      .filter((name) => !properties.some(([own]) => own === name));
    const holder = {
      properties: properties.length > 0 ? Object.fromEntries(properties) : undefined,
      patterns: patterns.length > 0 ? patterns : undefined,
      others,
      known: others !== undefined && plain.length > 0 ? plain : undefined,
      first:
        first.length > 0 && (items !== undefined || first.some((each) => each !== 0))
          ? first
          : undefined,
      items,
    };
    const isEmpty = Object.values(holder).every((each) => each === undefined);
    return isEmpty ? undefined : new Code(expressionOf(holder));
  }

  /** Without tests if all alternatives agree where numbers are integers of 64 bits. */
  #alternatives(schema: Schema): Code[] {
    const all = [...schema.dynamicRefs, ...schema.list('oneOf'), ...schema.list('anyOf')];
    const needed = all.filter((each) => this.#needed.from(each));
    const isClear = needed.every((each) =>
      all.every((other) => other === each || !mayConflict(each, other)),
    );
    if (isClear) return needed.map((each) => this.of(each)!);
    const tests = needed.map((each) => [this.#schemas.of(each), this.of(each)]);
    return [this.#constants.call('either', tests)];
  }

  /** The schemas that a discriminator selects, besides its alternatives. */
  #selected(schema: Schema): Code[] {
    const own = discriminatorsOf(schema).filter(({ holder }) => holder === schema);
    const branches = [...schema.list('oneOf'), ...schema.list('anyOf')].map(({ ref }) => ref);
    return own.flatMap(({ propertyName, schemas }) => {
      const tests = [...new Set(schemas.values())].flatMap((target) => {
        if (schema.conjuncts.includes(target) || branches.includes(target)) return [];
        // The others are those of the schema itself.
        const added = target.conjuncts.filter((each) => !schema.conjuncts.includes(each));
        const parts = added
          .filter((each) => this.#needed.from(each))
          .flatMap((each) => this.#own(each));
        if (parts.every((each) => each === undefined)) return [];
        const values = [...schemas].flatMap(([value, each]) => (each === target ? [value] : []));
        const test = { required: [propertyName], properties: { [propertyName]: { enum: values } } };
        return [[test, allOf(parts)]];
      });
      return tests.length === 0 ? [] : [this.#constants.call('either', tests)];
    });
  }

  #conditional(schema: Schema): Code | undefined {
    const condition = schema.child('if');
    const [met, unmet] = [this.of(schema.child('then')), this.of(schema.child('else'))];
    if (condition === undefined || (met ?? unmet) === undefined) return undefined;
    return this.#constants.call('conditional', [this.#schemas.of(condition), met ?? 0, unmet ?? 0]);
  }

  #dependent(schema: Schema): Code | undefined {
    const tests = [...schema.map('dependentSchemas')].flatMap(([name, each]) => {
      const exact = this.of(each);
      return exact === undefined ? [] : [[{ required: [name] }, exact]];
    });
    return tests.length === 0 ? undefined : this.#constants.call('either', tests);
  }
}

/** All apply. */
function allOf(parts: readonly (Code | undefined)[]): Code {
  const present = parts.filter((each) => each !== undefined);
  return present.length === 1 ? present[0]! : new Code(expressionOf(present));
}
