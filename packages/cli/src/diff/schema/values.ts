// Compares types, enums, formats, defaults and documentation keywords.
import { formats } from 'stubwright/internal/schema/formats';
import { isNumericFormat } from 'stubwright/internal/schema/numeric';
import { DOCUMENTATION_RULE } from '../change.ts';
import { became, canonical, disjunction, kebabCase, shown, without } from '../formatting.ts';
import { DOCUMENTATION_OUTCOMES, type Finding } from './finding.ts';
import { TYPES, type Type, type View } from './view.ts';

const NAMES: Readonly<Record<Type, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  nonInteger: 'a non-integer number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** Format to the formats that include all of its values. */
const WIDER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64'],
  int16: ['int32', 'int64'],
  uint8: ['int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'],
  uint16: ['int32', 'uint32', 'int64', 'uint64'],
  uint32: ['int64', 'uint64'],
  int32: ['int64', 'double'],
  float: ['double'],
  uri: ['uri-reference'],
};
const MEDIA_KEYWORDS = ['contentEncoding', 'contentMediaType'];

export function typeFindings(before: View, after: View): Finding[] {
  const lost = without(before.types, after.types);
  const gained = without(after.types, before.types);
  const what = `${typesShown(before.types)} became ${typesShown(after.types)}`;
  const at = { before: before.at('type', 'nullable'), after: after.at('type', 'nullable') };
  const named = (types: Type[]) => disjunction(types.map((type) => NAMES[type]));
  if (lost.length > 0 && gained.length > 0) {
    const rule = 'type-changed';
    return [{ rule, kind: 'other', what, lost: named(lost), gained: named(gained), ...at }];
  }
  if (lost.length > 0) {
    return [{ rule: 'type-narrowed', kind: 'narrower', what, values: named(lost), ...at }];
  }
  if (gained.length === 0) return [];
  return [{ rule: 'type-widened', kind: 'wider', what, values: named(gained), ...at }];
}

function typesShown(types: ReadonlySet<Type>): string {
  if (types.size === TYPES.length) return 'any type';
  if (types.size === 0) return 'nothing';
  const names = [...types].flatMap((type) => {
    if (type === 'nonInteger') return ['number'];
    return type === 'integer' && types.has('nonInteger') ? [] : [type];
  });
  return disjunction(names);
}

export function enumFindings(before: View, after: View): Finding[] {
  const was = before.values;
  const is = after.values;
  const at = { before: before.at('enum', 'const'), after: after.at('enum', 'const') };
  if (was === undefined || is === undefined) {
    const values = was ?? is;
    if (values === undefined) return [];
    const only = [...values.values()].map(shown).join(', ');
    const what = is === undefined ? `the enum ${only} was removed` : `the enum ${only} was set`;
    const kind = is === undefined ? 'wider' : 'narrower';
    const rule = is === undefined ? 'enum-removed' : 'enum-set';
    return [{ rule, kind, what, values: `a value other than ${only}`, ...at }];
  }
  const found = (keys: string[], of: ReadonlyMap<string, unknown>, kind: 'narrower' | 'wider') =>
    keys.map((key): Finding => {
      const value = shown(of.get(key));
      const what = `the value ${value} was ${kind === 'wider' ? 'added' : 'removed'}`;
      const rule = kind === 'wider' ? 'enum-value-added' : 'enum-value-removed';
      return { rule, kind, what, values: value, ...at };
    });
  return [
    ...found(without(was.keys(), is.keys()), was, 'narrower'),
    ...found(without(is.keys(), was.keys()), is, 'wider'),
  ];
}

export function formatFindings(before: View, after: View): Finding[] {
  if (!['string', 'integer', 'nonInteger'].some((each) => bothAllow(before, after, each as Type))) {
    return [];
  }
  const [was] = before.all('format') as string[];
  const [is] = after.all('format') as string[];
  if (was === is) return [];
  const at = { before: before.at('format'), after: after.at('format') };
  const what = became('format', was, is);
  if (!isKnown(was) && !isKnown(is)) {
    const effect =
      'The format is not validated; a client or its SDK may interpret the value differently.';
    const outcomes = inBothDirections('risky', effect);
    return [{ rule: 'format-annotation-changed', kind: 'explicit', what, ...at, outcomes }];
  }
  const others = (format: string | undefined) => `a value that is not a valid ${format}`;
  if (!isKnown(was) || WIDER_FORMATS[is ?? '']?.includes(was ?? '')) {
    return [{ rule: 'format-narrowed', kind: 'narrower', what, values: others(is), ...at }];
  }
  if (!isKnown(is) || WIDER_FORMATS[was ?? '']?.includes(is ?? '')) {
    return [{ rule: 'format-widened', kind: 'wider', what, values: others(was), ...at }];
  }
  const rule = 'format-changed';
  return [{ rule, kind: 'other', what, lost: others(is), gained: others(was), ...at }];
}

function isKnown(format: string | undefined): boolean {
  if (format === undefined) return false;
  return Object.hasOwn(formats, format) || isNumericFormat(format) || format === 'binary';
}

function bothAllow(before: View, after: View, type: Type): boolean {
  return before.has(type) && after.has(type);
}

function inBothDirections(severity: 'risky' | 'breaking', effect: string) {
  return { request: [severity, effect], response: [severity, effect] } as const;
}

export function mediaFindings(before: View, after: View): Finding[] {
  return MEDIA_KEYWORDS.flatMap((keyword): Finding[] => {
    const [was] = before.all(keyword);
    const [is] = after.all(keyword);
    if (was === is) return [];
    const effect = 'The same string decodes to other bytes.';
    const at = { before: before.at(keyword), after: after.at(keyword) };
    return [
      {
        rule: `${kebabCase(keyword)}-changed`,
        kind: 'explicit',
        what: became(keyword, was, is),
        ...at,
        outcomes: inBothDirections('breaking', effect),
      },
    ];
  });
}

export function defaultFindings(before: View, after: View): Finding[] {
  const [was] = before.all('default');
  const [is] = after.all('default');
  const what = became('default', was, is);
  if (canonical(was) === canonical(is)) return [];
  const now = is === undefined ? 'an unspecified value' : shown(is);
  const meaning = `A client that omits it now gets ${now}`;
  return [
    {
      rule: 'default-changed',
      kind: 'explicit',
      what,
      before: before.at('default'),
      after: after.at('default'),
      outcomes: {
        request:
          was === undefined
            ? ['risky', `${meaning}; the older contract declares no default.`]
            : ['breaking', `${meaning} instead of ${shown(was)}.`],
        response: ['risky', 'SDKs that fill in defaults fill in another value.'],
      },
    },
  ];
}

const DOCUMENTATION = ['title', 'description', 'example', 'examples', 'externalDocs', '$comment'];

export function documentationFindings(before: View, after: View): Finding[] {
  const extensions = [before, after].flatMap(({ conjuncts }) =>
    conjuncts.flatMap(({ schema }) =>
      Object.keys(schema.keywords).filter((keyword) => keyword.startsWith('x-')),
    ),
  );
  const keywords = [...DOCUMENTATION, 'deprecated', ...new Set(extensions)];
  return keywords.flatMap((keyword): Finding[] => {
    if (canonical(before.all(keyword)) === canonical(after.all(keyword))) return [];
    const at = { before: before.at(keyword), after: after.at(keyword) };
    return [
      {
        rule: DOCUMENTATION_RULE,
        kind: 'explicit',
        what: `${keyword} changed`,
        ...at,
        outcomes: DOCUMENTATION_OUTCOMES,
      },
    ];
  });
}
