// What Swagger UI does not show of OpenAPI 3.2, in terms that it shows.

import { Contract, isObject, type Node, valueAt, withValueAt } from '@stubwright/contract';

const FORM = 'application/x-www-form-urlencoded';

/** @returns a copy for the documentation page; the same document if it is of an earlier version */
export function withShownParts(document: Node): Node {
  if (!String(document['openapi']).startsWith('3.2')) return document;
  const { tags, paths, components } = document;
  const { parameters, responses, securitySchemes } = Object(components);
  return {
    ...document,
    ...(Array.isArray(tags) && { tags: shownTags(tags) }),
    ...(isObject(paths) && { paths: withQueries(paths) }),
    ...(isObject(components) && {
      components: {
        ...components,
        ...(isObject(parameters) && { parameters: withQueries(parameters) }),
        ...(isObject(responses) && { responses: mapped(responses, shownResponse) }),
        ...(isObject(securitySchemes) && { securitySchemes: mapped(securitySchemes, shownScheme) }),
      },
    }),
  };
}

/** @returns a copy in which operations say that no server of Node receives their method */
export function withUnservedMarked(document: Node): Node {
  return new Contract(document).unservedOperations.reduce((whole, { method, pointer }) => {
    const reason = `Not served: Node does not receive ${method.toUpperCase()}`;
    const { summary, ...operation } = described(valueAt(document, pointer) as Node, [reason]);
    const shown = { ...operation, summary: joined(['Not served', summary]) };
    return withValueAt(whole, pointer, shown) as Node;
  }, document);
}

/** @returns the names and URLs of servers; undefined if they have no names */
export function serverNames({ servers }: Node): string | undefined {
  if (!Array.isArray(servers)) return undefined;
  const named = servers.filter((each) => isObject(each) && each['name'] !== undefined);
  return joined(named.map(({ name, url }) => `${name}: ${url}`));
}

/** Each tag follows its parent. */
function shownTags(tags: readonly unknown[]): Node[] {
  const all = tags.filter(isObject);
  const children = Map.groupBy(all, (tag) => tag['parent']);
  const names = new Set(all.map((tag) => tag['name']));
  const ordered = new Set<Node>();
  const isRoot = ({ parent }: Node) => parent === undefined || !names.has(parent);
  // Tags that are their own ancestors have no root.
  const pending = [...all.filter(isRoot), ...all].reverse();
  for (let tag = pending.pop(); tag !== undefined; tag = pending.pop()) {
    if (ordered.has(tag)) continue;
    ordered.add(tag);
    for (const child of children.get(tag['name'])?.toReversed() ?? []) pending.push(child);
  }
  return [...ordered].map(({ summary, parent, kind, ...tag }) =>
    described(tag, [summary, kind, parent === undefined ? undefined : `in ${parent}`]),
  );
}

function shownScheme(scheme: Node): Node {
  const url = scheme['flows']?.deviceAuthorization?.deviceAuthorizationUrl;
  const metadata = scheme['oauth2MetadataUrl'];
  return described(scheme, [
    scheme['deprecated'] === true ? 'Deprecated' : undefined,
    url === undefined ? undefined : `Device authorization URL: ${url}`,
    metadata === undefined ? undefined : `Metadata: ${metadata}`,
  ]);
}

function shownResponse(response: Node): Node {
  const { summary, ...rest } = response;
  return typeof summary === 'string' ? described(rest, [summary]) : response;
}

/** A query string that is a form has the text of an exploded object. */
function withQueries(node: Node): Node {
  const schema = node['in'] === 'querystring' ? node['content']?.[FORM]?.schema : undefined;
  if (schema === undefined) {
    const { responses } = node;
    const shown = mapped(node, withQueries);
    return isObject(responses) ? { ...shown, responses: mapped(responses, shownResponse) } : shown;
  }
  const { content, ...rest } = node;
  const { example, examples } = content[FORM];
  return described(
    {
      ...{ ...rest, in: 'query', style: 'form', explode: true, schema },
      ...(example !== undefined && { example }),
      ...(examples !== undefined && { examples }),
    },
    ['The whole query string'],
  );
}

function mapped(map: Node, change: (node: Node) => Node): Node {
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    return isObject(value) ? change(value) : value;
  };
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, shown(value)]));
}

function described(node: Node, facts: readonly unknown[]): Node {
  const texts = [joined(facts), node['description']].filter(Boolean);
  return texts.length > 0 ? { ...node, description: texts.join('\n\n') } : node;
}

function joined(facts: readonly unknown[]): string | undefined {
  const texts = facts.filter((each) => typeof each === 'string');
  return texts.length > 0 ? texts.join(' · ') : undefined;
}
