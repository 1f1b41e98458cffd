// Types, listed values, formats and other words about single values: what became narrower, what wider.
import { formats } from '../../../../stubwright/src/schema/formats.ts';
import { isNumericFormat } from '../../../../stubwright/src/schema/numeric.ts';
import { anyOf, became, canonical, shown, without } from '../words.ts';
import { type Finding, FOR_READERS } from './finding.ts';
import { TYPES, type Type, type View } from './view.ts';

const NAMES: Readonly<Record<Type, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  fraction: 'a fraction',
  string: 'a string',
  array: 'a list',
  object: 'an object',
};

/** Formats that hold every value of another. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64'],
  int16: ['int32', 'int64'],
  uint8: ['int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'],
  uint16: ['int32', 'uint32', 'int64', 'uint64'],
  uint32: ['int64', 'uint64'],
  int32: ['int64', 'double'],
  float: ['double'],
  uri: ['uri-reference'],
};
const MEDIA = ['contentEncoding', 'contentMediaType'];

export function typeFindings(before: View, after: View): Finding[] {
  const lost = without(before.types, after.types);
  const gained = without(after.types, before.types);
  const what = `${typesShown(before.types)} became ${typesShown(after.types)}`;
  const at = { before: before.at('type', 'nullable'), after: after.at('type', 'nullable') };
  const named = (types: Type[]) => anyOf(types.map((type) => NAMES[type]));
  if (lost.length > 0 && gained.length > 0) {
    return [{ kind: 'other', what, lost: named(lost), gained: named(gained), ...at }];
  }
  if (lost.length > 0) return [{ kind: 'narrower', what, values: named(lost), ...at }];
  return gained.length > 0 ? [{ kind: 'wider', what, values: named(gained), ...at }] : [];
}

function typesShown(types: ReadonlySet<Type>): string {
  if (types.size === TYPES.length) return 'any type';
  if (types.size === 0) return 'nothing';
  const names = [...types].flatMap((type) => {
    if (type === 'fraction') return ['number'];
    return type === 'integer' && types.has('fraction') ? [] : [type];
  });
  return anyOf(names);
}

export function enumFindings(before: View, after: View): Finding[] {
  const was = before.values;
  const is = after.values;
  const at = { before: before.at('enum', 'const'), after: after.at('enum', 'const') };
  if (was === undefined || is === undefined) {
    const list = was ?? is;
    if (list === undefined) return [];
    const only = [...list.values()].map(shown).join(', ');
    const what = is === undefined ? `the list ${only} was removed` : `only ${only} is left`;
    const kind = is === undefined ? 'wider' : 'narrower';
    return [{ kind, what, values: `a value other than ${only}`, ...at }];
  }
  const found = (keys: string[], of: ReadonlyMap<string, unknown>, kind: 'narrower' | 'wider') =>
    keys.map((key): Finding => {
      const value = shown(of.get(key));
      const what = `the value ${value} was ${kind === 'wider' ? 'added' : 'removed'}`;
      return { kind, what, values: value, ...at };
    });
  return [
    ...found(without(was.keys(), is.keys()), was, 'narrower'),
    ...found(without(is.keys(), was.keys()), is, 'wider'),
  ];
}

export function formatFindings(before: View, after: View): Finding[] {
  if (!['string', 'integer', 'fraction'].some((each) => bothHave(before, after, each as Type))) {
    return [];
  }
  const [was] = before.all('format') as string[];
  const [is] = after.all('format') as string[];
  if (was === is) return [];
  const at = { before: before.at('format'), after: after.at('format') };
  const what = became('format', was, is);
  if (!isKnown(was) && !isKnown(is)) {
    const effect =
      'Nothing checks this format; a client or its SDK may read the value differently.';
    return [{ kind: 'told', what, ...at, told: both('risky', effect) }];
  }
  const others = (format: string | undefined) => `a value that is no ${format}`;
  if (!isKnown(was) || WITHIN[is ?? '']?.includes(was ?? '')) {
    return [{ kind: 'narrower', what, values: others(is), ...at }];
  }
  if (!isKnown(is) || WITHIN[was ?? '']?.includes(is ?? '')) {
    return [{ kind: 'wider', what, values: others(was), ...at }];
  }
  return [{ kind: 'other', what, lost: others(is), gained: others(was), ...at }];
}

function isKnown(format: string | undefined): boolean {
  if (format === undefined) return false;
  return Object.hasOwn(formats, format) || isNumericFormat(format) || format === 'binary';
}

function bothHave(before: View, after: View, type: Type): boolean {
  return before.has(type) && after.has(type);
}

function both(verdict: 'risky' | 'breaking', effect: string) {
  return { request: [verdict, effect], response: [verdict, effect] } as const;
}

export function mediaFindings(before: View, after: View): Finding[] {
  return MEDIA.flatMap((word): Finding[] => {
    const [was] = before.all(word);
    const [is] = after.all(word);
    if (was === is) return [];
    const effect = 'The same text means other bytes.';
    const at = { before: before.at(word), after: after.at(word) };
    return [{ kind: 'told', what: became(word, was, is), ...at, told: both('breaking', effect) }];
  });
}

export function defaultFindings(before: View, after: View): Finding[] {
  const [was] = before.all('default');
  const [is] = after.all('default');
  const what = became('default', was, is);
  if (canonical(was) === canonical(is)) return [];
  const now = is === undefined ? 'whatever the service takes' : shown(is);
  const meaning = `A client that leaves it out now gets ${now}`;
  return [
    {
      kind: 'told',
      what,
      before: before.at('default'),
      after: after.at('default'),
      told: {
        request:
          was === undefined
            ? ['risky', `${meaning}; before nothing was promised.`]
            : ['breaking', `${meaning} instead of ${shown(was)}.`],
        response: ['risky', 'An SDK that fills in absent fields fills in another value.'],
      },
    },
  ];
}

const DOCUMENTATION = ['title', 'description', 'example', 'examples', 'externalDocs', '$comment'];

export function documentationFindings(before: View, after: View): Finding[] {
  const extensions = [before, after].flatMap(({ conjuncts }) =>
    conjuncts.flatMap(({ schema }) =>
      Object.keys(schema.keywords).filter((word) => word.startsWith('x-')),
    ),
  );
  const words = [...DOCUMENTATION, 'deprecated', ...new Set(extensions)];
  return words.flatMap((word): Finding[] => {
    if (canonical(before.all(word)) === canonical(after.all(word))) return [];
    const at = { before: before.at(word), after: after.at(word) };
    return [{ kind: 'told', what: `${word} changed`, ...at, told: FOR_READERS }];
  });
}
