// The words of JSON Schema that speak of other schemas without being their parts, and the
// discriminator.
import type { Schema } from '../../../../stubwright/src/schema/model.ts';
import { became, canonical, shown, without } from '../words.ts';
import type { Finding, Sense } from './finding.ts';
import type { Inner } from './objects.ts';
import { allOf, type Term, termOf } from './term.ts';
import type { View } from './view.ts';

const SINGLE: readonly (readonly ['if' | 'then' | 'else' | 'propertyNames', Sense])[] = [
  ['if', 'unclear'],
  ['then', 'unclear'],
  ['else', 'unclear'],
  ['propertyNames', 'same'],
];
type Each = 'not' | 'contains';
type Named = 'patternProperties' | 'dependentSchemas';

/** Words of which several hold each for itself; what they rule out. */
const EACH: readonly (readonly [Each, Sense, string])[] = [
  ['not', 'flipped', 'what it accepts'],
  ['contains', 'same', 'a list without what it accepts'],
];
const NAMED: readonly (readonly [Named, Sense])[] = [
  ['patternProperties', 'same'],
  ['dependentSchemas', 'same'],
];
const UNCLEAR = ['minContains', 'maxContains', 'xml'];

export function restInner(before: View, after: View): Inner[] {
  const single = SINGLE.flatMap(([word, sense]) => {
    const was = under(before, (schema) => schema.child(word));
    const is = under(after, (schema) => schema.child(word));
    if (isAbsent(was) && isAbsent(is)) return [];
    return [{ path: `(${word})`, before: was, after: is, sense }];
  });
  const named = NAMED.flatMap(([word, sense]) =>
    namesUnder([before, after], word).map((name) => ({
      path: `/${name}`,
      before: under(before, (schema) => schema.map(word).get(name)),
      after: under(after, (schema) => schema.map(word).get(name)),
      sense,
    })),
  );
  const each = EACH.flatMap(([word, sense]) =>
    pairsOf(before, after, word).pairs.map(([was, is]) => ({
      path: `(${word})`,
      before: termOf(was, was.pointer),
      after: termOf(is, is.pointer),
      sense,
    })),
  );
  return [...single, ...named, ...each];
}

/** Those that are written alike are taken for the same, and so is one that is left on each side. */
function pairsOf(before: View, after: View, word: Each) {
  const places = ({ conjuncts }: View) =>
    conjuncts.flatMap(({ schema }) => schema.child(word) ?? []);
  const pairs: [Schema, Schema][] = [];
  const added = places(after);
  const removed = places(before).filter((one) => {
    const at = added.findIndex(({ written }) => canonical(written) === canonical(one.written));
    if (at >= 0) pairs.push([one, ...(added.splice(at, 1) as [Schema])]);
    return at < 0;
  });
  const [one, other] = [removed[0], added[0]];
  if (removed.length !== 1 || added.length !== 1) return { pairs, removed, added };
  return { pairs: [...pairs, [one!, other!] as const], removed: [], added: [] };
}

function isAbsent({ conjuncts }: Term): boolean {
  return conjuncts.length === 0;
}

function under({ conjuncts, term }: View, inner: (schema: Schema) => Schema | undefined): Term {
  return allOf(
    conjuncts.flatMap(({ schema }) => inner(schema) ?? []),
    term.at,
  );
}

function namesUnder(views: readonly View[], word: Named): string[] {
  const names = views.flatMap(({ conjuncts }) =>
    conjuncts.flatMap(({ schema }) => [...schema.map(word).keys()]),
  );
  return [...new Set(names)];
}

export function restFindings(before: View, after: View): Finding[] {
  return [
    ...eachFindings(before, after),
    ...dependentFindings(before, after),
    ...unclearFindings(before, after),
    ...discriminatorFindings(before, after),
  ];
}

function eachFindings(before: View, after: View): Finding[] {
  return EACH.flatMap(([word, , values]) => {
    const { removed, added } = pairsOf(before, after, word);
    return [
      ...added.map(({ written, pointer }): Finding => {
        const what = `${word} ${shown(written)} was set`;
        return { kind: 'narrower', what, values, before: before.at(word), after: pointer };
      }),
      ...removed.map(({ written, pointer }): Finding => {
        const what = `${word} ${shown(written)} was removed`;
        return { kind: 'wider', what, values, before: pointer, after: after.at(word) };
      }),
    ];
  });
}

/** `dependentRequired`: with one field another is required. */
function dependentFindings(before: View, after: View): Finding[] {
  const word = 'dependentRequired';
  const pairs = ({ conjuncts }: View) =>
    conjuncts.flatMap(({ schema }) =>
      Object.entries<string[]>(schema.keywords[word] ?? {}).flatMap(([name, needed]) =>
        needed.map((each) => `${name} without ${each}`),
      ),
    );
  const at = { before: before.at(word), after: after.at(word) };
  const [was, is] = [pairs(before), pairs(after)];
  return [
    ...without(is, was).map((values): Finding => {
      return { kind: 'narrower', what: `${values} was ruled out`, values, ...at };
    }),
    ...without(was, is).map((values): Finding => {
      return { kind: 'wider', what: `${values} was allowed`, values, ...at };
    }),
  ];
}

function unclearFindings(before: View, after: View): Finding[] {
  return UNCLEAR.flatMap((word): Finding[] => {
    const [was] = before.all(word);
    const [is] = after.all(word);
    if (canonical(was) === canonical(is)) return [];
    const told = [
      'risky',
      'Whether more or less is accepted now cannot be told; look at it.',
    ] as const;
    const at = { before: before.at(word), after: after.at(word) };
    return [
      { kind: 'told', what: became(word, was, is), ...at, told: { request: told, response: told } },
    ];
  });
}

function discriminatorFindings(before: View, after: View): Finding[] {
  const [was] = before.all('discriminator') as { propertyName?: unknown; mapping?: object }[];
  const [is] = after.all('discriminator') as { propertyName?: unknown; mapping?: object }[];
  const at = { before: before.at('discriminator'), after: after.at('discriminator') };
  if (was?.propertyName !== is?.propertyName) {
    const what = became('discriminator', was?.propertyName, is?.propertyName);
    const told = [
      'breaking',
      'Which schema a value belongs to is read from another field.',
    ] as const;
    return [{ kind: 'told', what, ...at, told: { request: told, response: told } }];
  }
  const [old, now] = [Object.entries(was?.mapping ?? {}), Object.entries(is?.mapping ?? {})];
  const texts = (entries: [string, unknown][]) =>
    entries.map(([value, to]) => `${value} for ${to}`);
  return [
    ...without(texts(old), texts(now)).map((each): Finding => {
      return { kind: 'narrower', what: `the mapping ${each} was removed`, values: each, ...at };
    }),
    ...without(texts(now), texts(old)).map((each): Finding => {
      return { kind: 'wider', what: `the mapping ${each} was added`, values: each, ...at };
    }),
  ];
}
