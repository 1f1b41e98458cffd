// The types of both contracts that converters receive and return, each in a namespace.
import type { Contract, Operation } from '@stubwright/contract';
import { operationPairs } from '@stubwright/versions';
import { typesSource } from '../types/generateTypes.ts';
import type { ConverterMember } from './conversions.ts';
import type { ConverterPlan } from './converterPlan.ts';
import type { NamedTypes } from './namedTypes.ts';
import { type PartialDocumentOptions, partialDocument } from './partialDocument.ts';

interface Options {
  readonly older: Contract;
  readonly newer: Contract;
  readonly named: NamedTypes;
  /** True if converters `call` use types of another module. */
  readonly hasNewerTypes: boolean;
}

/** @returns the declarations, and the types of stubwright that they use */
export function contractTypes(
  plan: ConverterPlan,
  { older, newer, named, hasNewerTypes }: Options,
): { readonly namespaces: readonly string[]; readonly marks: readonly string[] } {
  const pairs = operationPairs(older, newer);
  const toNew = namesWith(plan, 'toNew');
  const toOld = namesWith(plan, 'toOld');
  const ofOlder = (...members: ConverterMember[]) => operationsWith(plan, members, older);
  const ofNewer = (...members: ConverterMember[]) =>
    ofOlder(...members).flatMap((each) => pairs.get(each.operationId) ?? []);
  const hasCalls = ofOlder('call').length > 0 && !hasNewerTypes;
  const all: readonly Namespace[] = [
    {
      ...{ name: 'Older', comment: 'What converters of replies return.', contract: older },
      ...{ operations: ofOlder('reply', 'item', 'call'), schemas: toOld },
      named: named.enums.older,
    },
    {
      ...{ name: 'Newer', comment: 'What converters of requests return.', contract: newer },
      operations: hasCalls ? newer.operations : ofNewer('request'),
      ...{ schemas: toNew, named: named.enums.newer },
    },
    {
      ...{ name: 'Received', comment: 'What converters of requests receive.', contract: older },
      ...{ operations: ofOlder('request', 'call'), schemas: toNew },
      converted: new Map(toNew.map((name) => [name, `SentValue<${componentType('Newer', name)}>`])),
    },
    {
      ...{ name: 'Replied', comment: 'What converters of replies receive.', contract: newer },
      ...{ operations: ofNewer('reply', 'item'), schemas: toOld },
      converted: new Map(
        toOld.map((name) => [name, `ReplyValue<${componentType('Older', name)}>`]),
      ),
    },
  ];
  const texts = all
    .filter((each) => [each.operations, each.schemas].some(({ length }) => length > 0))
    .map(namespaceOf);
  return {
    namespaces: texts.map(({ text }) => text),
    marks: [...new Set(texts.flatMap(({ marks }) => marks))].sort(),
  };
}

/** @returns `Older.components["schemas"]["Toy"]` */
export function componentType(namespace: string, name: string): string {
  return `${namespace}.components["schemas"][${JSON.stringify(name)}]`;
}

/** @returns `Older.operations["listToys"]` */
export function contractOperation(namespace: string, operationId: string): string {
  return `${namespace}.operations[${JSON.stringify(operationId)}]`;
}

function namesWith({ schemas }: ConverterPlan, member: ConverterMember): string[] {
  return schemas.filter((each) => each.member === member).map(({ name }) => name);
}

function operationsWith(
  { operations }: ConverterPlan,
  members: readonly ConverterMember[],
  older: Contract,
): Operation[] {
  const names = new Set(
    operations.filter(({ member }) => members.includes(member)).map(({ name }) => name),
  );
  return older.operations.filter(({ operationId }) => names.has(operationId));
}

interface Namespace extends Pick<PartialDocumentOptions, 'converted' | 'named'> {
  readonly name: string;
  readonly comment: string;
  readonly contract: Contract;
  readonly operations: readonly Operation[];
  readonly schemas: readonly string[];
}

function namespaceOf({ name, comment, contract, operations, ...options }: Namespace) {
  const document = partialDocument(contract, { ...options, operations: new Set(operations) });
  const { marks, source } = typesSource(document);
  return {
    marks,
    text: `/** ${comment} */\nexport declare namespace ${name} {\n${withoutPaths(source)}}`,
  };
}

/** Converters have types of operations and components. */
function withoutPaths(source: string): string {
  return source.replace(
    /^export (?:interface paths \{\n(?:[ \t].*\n|\n)*\}|type paths = .*|type webhooks = .*|type \$defs = .*)\n/gm,
    '',
  );
}
