// Writes generated/versions/<version>.ts: an interface for each converter that a served version needs.
import { relative } from 'node:path/posix';
import type { Contract } from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { contractTypes } from './contractTypes.ts';
import { converterDeclarations } from './converterDeclarations.ts';
import { converterPlan } from './converterPlan.ts';
import { expectations } from './expectations.ts';
import { namedTypes } from './namedTypes.ts';

interface VersionTypesOptions {
  readonly version: string;
  readonly older: Contract;
  readonly newer: Contract;
  /** The module of the types of the newer contract, if there is one; else they are written for `call`. */
  readonly newerTypes?: string | undefined;
  /** The path of the module that exports the converters, relative to the project. */
  readonly converters: string;
}

/** The folder of the generated types, relative to the project. */
export const VERSIONS = 'generated/versions';

const CURRENT = 'CurrentOperations';

const IMPORTED = [
  ...['AnyConverter', 'NewerOperation', 'Expected', 'StreamItemOf', 'MaybePromise', 'NewerReply'],
  ...['OlderReply', 'OlderRequest', 'ReceivedValue', 'ReplyValue', 'ConvertedParts'],
  ...['NewerRequest', 'SentValue', 'Undeclared'],
];

/** @returns the text, and what the application must write for it */
export function versionTypes(options: VersionTypesOptions) {
  const { version, older, newer, newerTypes, converters } = options;
  const plan = converterPlan(older, newer);
  const named = namedTypes(plan, { older, newer });
  const hasNewerTypes = newerTypes !== undefined;
  const { namespaces, marks } = contractTypes(plan, { older, newer, named, hasNewerTypes });
  const expected = expectations(plan);
  const body = [
    ...converterDeclarations(plan, {
      ...{ newer, named, pairs: operationPairs(older, newer) },
      calls: newerTypes === undefined ? 'Newer.operations' : CURRENT,
    }),
    ...expected,
    ...named.declarations,
    ...namespaces,
  ].join('\n\n');
  const used = IMPORTED.filter((each) => new RegExp(`\\b${each}\\b`).test(body));
  const imports = [
    ...importOf(body.includes(`${CURRENT}[`) ? [`operations as ${CURRENT}`] : [], `${newerTypes}`),
    ...importOf(marks, 'stubwright'),
    ...importOf(used, '@stubwright/versions'),
    ...importOf(expected.length === 0 ? [] : ['converters'], relative(VERSIONS, converters)),
  ];
  const next = newer.version ?? 'the current version';
  const title = `// The converters between ${version} and ${next}. Generated from both contracts; edit those.`;
  return { plan, text: `${title}\n${imports.join('\n')}\n\n${body}\n` };
}

function importOf(names: readonly string[], module: string): string[] {
  return names.length === 0 ? [] : [`import type { ${names.join(', ')} } from '${module}';`];
}
