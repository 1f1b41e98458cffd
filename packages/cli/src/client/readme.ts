// Writes the README of a generated package.
import type { Contract } from '@stubwright/contract';
import type { ValueTypes } from '../types/valueTypes.ts';
import { expressionOf } from './code.ts';
import { type ClientOperation, hasAbsoluteServer, memberOf, PART_HEADERS } from './declarations.ts';
import { type ClientScheme, serverSpec } from './servers.ts';

export function readmeOf(
  name: string,
  definition: Contract,
  operations: readonly ClientOperation[],
  { schemes, types }: { schemes: ReadonlyMap<string, ClientScheme>; types: ValueTypes },
): string {
  const { title, description } = definition;
  const usesPart = operations.some(({ example }) => example?.includes(`${PART_HEADERS}(`));
  const imported = ['createClient', 'unwrap', ...(usesPart ? [PART_HEADERS] : [])];
  const about = String(description ?? '').trim();
  return [
    `# ${name}\n\nA client of ${oneLine(title)}, for browsers, Node, Bun, Deno and workers. Generated from its OpenAPI contract.\n`,
    about === '' ? '' : `\n${about.replace(/^#/gm, '###')}\n`,
    `\n\`\`\`sh\nnpm install ${name}\n\`\`\`\n`,
    `\n\`\`\`ts\nimport { ${imported.join(', ')} } from '${name}';\n\n${creation(definition, operations, schemes)}\`\`\`\n`,
    `\nA call returns a reply, discriminated by \`status\`. \`unwrap\` returns the body of a success, or throws an \`ErrorReply\`. ${typesText(types)}\n`,
    `\nBundlers drop unused operations of \`import { connect, ${operations[0]?.name ?? 'operation'} }\`: the first argument of each is \`connect(options)\`. The options are those of [@stubwright/client](https://www.npmjs.com/package/@stubwright/client).\n`,
    '\n## Operations\n',
    ...operations.map(sectionOf),
  ].join('');
}

function typesText({ dates, int64 }: ValueTypes): string {
  const integers = `An int64 is a \`${int64}\`.`;
  return dates === 'string' ? integers : `${integers} A date is a \`Date\`, in UTC.`;
}

function creation(
  definition: Contract,
  operations: readonly ClientOperation[],
  schemes: ReadonlyMap<string, ClientScheme>,
): string {
  const credentials = neededSchemes(operations, schemes).map(({ option, isBasic }) => {
    return [option, isBasic ? { username: 'user', password: 'secret' } : 'token'];
  });
  const baseUrl = hasAbsoluteServer(definition) ? undefined : localUrl(definition);
  const options = { baseUrl, ...Object.fromEntries(credentials) };
  const text = expressionOf(options);
  return `const client = createClient(${text === '{}' ? '' : text});\n`;
}

/** @returns the schemes of one alternative of each operation; its first, unless others are needed anyway */
function neededSchemes(
  operations: readonly ClientOperation[],
  schemes: ReadonlyMap<string, ClientScheme>,
): ClientScheme[] {
  const needed = new Set<string>();
  const alternatives = operations.map(({ operation }) => operation.security.map(Object.keys));
  const isKnown = (names: readonly string[]) => names.every((each) => schemes.has(each));
  for (const each of alternatives.sort((one, other) => one.length - other.length)) {
    if (each.some((names) => names.every((name) => needed.has(name)))) continue;
    for (const name of each.find(isKnown) ?? []) needed.add(name);
  }
  return [...schemes].flatMap(([name, scheme]) => (needed.has(name) ? [scheme] : []));
}

/** A relative server of the contract, on this machine. */
function localUrl(definition: Contract): string {
  const { url = '', variables = {} } = serverSpec(definition.servers) ?? {};
  const path = url.replace(/\{([^{}]+)\}/g, (written, name: string) => variables[name] ?? written);
  const local = 'http://127.0.0.1:3000';
  return (URL.parse(path, local)?.href ?? local).replace(/\/$/, '');
}

function sectionOf(each: ClientOperation): string {
  const { operation, member, example } = each;
  const { summary, deprecation } = operation;
  const title = summary ?? `${operation.method.toUpperCase()} ${operation.path}`;
  const heading = `\n### ${member.join('.')}\n\n${oneLine(title)}${deprecation === undefined ? '' : ' (deprecated)'}\n`;
  if (example === undefined) return `${heading}\nNo request was found that the contract allows.\n`;
  const call = `const reply = await ${memberOf(each)}(${example});`;
  // Longer than any in the example (CommonMark, section 4.5).
  const fence = '`'.repeat(
    Math.max(3, ...(call.match(/`+/g) ?? []).map(({ length }) => length + 1)),
  );
  return `${heading}\n${fence}ts\n${call}\n${fence}\n`;
}

function oneLine(text: unknown): string {
  return String(text).replace(/\s+/g, ' ');
}
