// The declared fields of a value, for schemas whose fields depend on the value (anyOf, oneOf,
// additionalProperties, recursion), which a writer cannot be compiled for.
import type { Definition, Place } from '../definition/definition.ts';
import { compilePattern } from '../schema/pattern.ts';
import type { Validators } from '../schema/validator.ts';

/** @returns a copy of a valid value that holds only what the schema declares */
export function declaredOnly(definition: Definition, validators: Validators, schema: Place) {
  return (value: unknown) => copy(value, [schema]);

  function copy(value: unknown, schemas: readonly Place[]): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const applying = schemas.flatMap((each) => expand(each, value));
    return Array.isArray(value) ? copyItems(value, applying) : copyFields(value, applying);
  }

  function copyItems(items: readonly unknown[], schemas: readonly Place[]): unknown[] {
    return items.map((item, at) => {
      const schemasOfItem = schemas.flatMap((each) => {
        const prefix = each.node.prefixItems?.[at];
        if (prefix !== undefined) {
          return [definition.step(definition.step(each, 'prefixItems'), String(at))];
        }
        return typeof each.node.items === 'object' ? [definition.step(each, 'items')] : [];
      });
      return copy(item, schemasOfItem);
    });
  }

  function copyFields(value: object, schemas: readonly Place[]): object {
    const isFreeForm = !schemas.some(({ node }) => node.properties ?? node.patternProperties);
    const fields = Object.entries(value).flatMap(([name, field]) => {
      const declaring = schemas.flatMap((each) => declarationsOf(each, name));
      const isKept = declaring.length > 0 || isFreeForm;
      if (!isKept || declaring.some((each) => isWriteOnly(each))) return [];
      return [
        [
          name,
          copy(
            field,
            declaring.filter(({ node }) => typeof node === 'object'),
          ),
        ],
      ];
    });
    return Object.fromEntries(fields);
  }

  /** The schemas that apply to a value beside one schema: its $ref, allOf, met alternatives. */
  function expand(place: Place, value: unknown): Place[] {
    if (typeof place.node !== 'object') return [];
    const target = definition.schemaTarget(place);
    const all = [...(target === undefined ? [] : [target]), ...steps(place, 'allOf')];
    const met = [...steps(place, 'oneOf'), ...steps(place, 'anyOf'), ...conditional(place, value)];
    const chosen = met.filter((each) => validators.at(each.pointer)(value));
    return [place, ...[...all, ...chosen].flatMap((each) => expand(each, value))];
  }

  function conditional(place: Place, value: unknown): Place[] {
    if (place.node['if'] === undefined) return [];
    const isMet = validators.at(`${place.pointer}/if`)(value);
    const word = isMet ? 'then' : 'else';
    return [
      ...(isMet ? [definition.step(place, 'if')] : []),
      ...(place.node[word] === undefined ? [] : [definition.step(place, word)]),
    ];
  }

  function steps(place: Place, word: string): Place[] {
    const list = definition.step(place, word);
    return Object.keys(list.node ?? {}).map((name) => definition.step(list, name));
  }

  function isWriteOnly(place: Place): boolean {
    return definition.follow(place).node?.writeOnly === true;
  }

  function declarationsOf(place: Place, name: string): Place[] {
    const { node } = place;
    if (node.properties !== undefined && Object.hasOwn(node.properties, name)) {
      return [definition.step(definition.step(place, 'properties'), name)];
    }
    const patterns = Object.keys(node.patternProperties ?? {}).filter((pattern) =>
      compilePattern(pattern)?.test(name),
    );
    if (patterns.length > 0) {
      const list = definition.step(place, 'patternProperties');
      return patterns.map((pattern) => definition.step(list, pattern));
    }
    // A name that is required is declared by that, though nothing more is said of it.
    if (node.required?.includes(name)) return [{ pointer: place.pointer, node: {} }];
    const rest = node.additionalProperties ? 'additionalProperties' : 'unevaluatedProperties';
    return node[rest] ? [definition.step(place, rest)] : [];
  }
}
