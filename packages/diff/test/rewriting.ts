// Rewrites contracts without a change for their clients.
import { isObject, type Node } from '@stubwright/contract';

type Rewrite = (node: Node, name: string) => Node;

/** @returns a copy in which each object is rewritten, inner ones first; examples are left as they are */
export function rewritten(value: unknown, rewrite: Rewrite, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => rewritten(each, rewrite, name));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    const isData = ['example', 'examples', 'default', 'enum', 'const'].includes(key);
    return [key, isData ? each : rewritten(each, rewrite, key)];
  });
  return rewrite(Object.fromEntries(entries), name);
}

/**
 * Upgrades a contract from OpenAPI 3.0 to 3.1.
 * https://www.openapis.org/blog/2021/02/16/migrating-from-openapi-3-0-to-3-1-0
 */
export function upgraded(document: Node): Node {
  return { ...(rewritten(document, upgradedNode) as Node), openapi: '3.1.0' };
}

function upgradedNode(written: Node, name: string): Node {
  if (typeof written['$ref'] === 'string') return { $ref: written['$ref'] };
  if (/^(?:application\/octet-stream|(?:image|audio|video)\/.*)$/.test(name)) {
    const { schema, ...rest } = written;
    return isObject(schema) && schema['contentMediaType'] !== undefined ? rest : written;
  }
  if (!isSchema(written)) return written;
  const { nullable, example, ...node } = written;
  if (example !== undefined) node['examples'] = [example];
  for (const side of ['Minimum', 'Maximum']) upgradeBound(node, side);
  if (node['type'] === 'string') upgradeFormat(node);
  if (nullable !== true) return node;
  if (typeof node['type'] !== 'string') return { anyOf: [node, { type: 'null' }] };
  const values: unknown = node['enum'];
  const isListed = Array.isArray(values) && !values.includes(null);
  return {
    ...node,
    type: [node['type'], 'null'],
    ...(isListed ? { enum: [...values, null] } : {}),
  };
}

const SCHEMA_KEYWORDS = ['type', 'nullable', 'allOf', 'anyOf', 'oneOf', 'properties', 'items'];

function isSchema(node: Node): boolean {
  const isNamed = typeof node['type'] === 'string' || Array.isArray(node['allOf'] ?? node['oneOf']);
  const isOther = ['in', 'flows', 'scheme', 'openIdConnectUrl'].some((each) => each in node);
  return (
    !isOther && (isNamed || node['nullable'] === true) && SCHEMA_KEYWORDS.some((k) => k in node)
  );
}

function upgradeBound(node: Node, side: string): void {
  const [exclusive, inclusive] = [`exclusive${side}`, side.toLowerCase()];
  if (typeof node[exclusive] !== 'boolean') return;
  const isExclusive = node[exclusive];
  delete node[exclusive];
  if (!isExclusive || node[inclusive] === undefined) return;
  node[exclusive] = node[inclusive];
  delete node[inclusive];
}

function upgradeFormat(node: Node): void {
  const { format } = node;
  if (format === 'byte' || format === 'base64') node['contentEncoding'] = 'base64';
  else if (format === 'binary') node['contentMediaType'] = 'application/octet-stream';
  else return;
  delete node['format'];
}

/** Expresses type lists, enums and `required` in other keywords, and reverses keys and branches. */
export function reexpressed(document: Node): Node {
  return rewritten(document, (node) => {
    const { type, enum: values, required, ...rest } = node;
    if (!isSchema(node) && !Array.isArray(type)) return node;
    const reversed: Node = Object.fromEntries(Object.entries(rest).reverse());
    for (const keyword of ['oneOf', 'anyOf']) {
      if (Array.isArray(reversed[keyword])) reversed[keyword] = reversed[keyword].toReversed();
    }
    const isComposed = ['oneOf', 'anyOf'].some((keyword) => keyword in reversed);
    const isNullable = node['nullable'] === true;
    const hasChoice = Array.isArray(values) && values.length > 1 && !isComposed && !isNullable;
    return {
      ...reversed,
      ...(Array.isArray(required) ? { allOf: [...(reversed['allOf'] ?? []), { required }] } : {}),
      ...(hasChoice ? { oneOf: values.map((value) => ({ const: value })) } : {}),
      ...(Array.isArray(values) && !hasChoice ? { enum: values.toReversed() } : {}),
      ...(Array.isArray(type) && !isComposed && !hasChoice
        ? { anyOf: type.map((each) => ({ type: each })) }
        : type === undefined
          ? {}
          : { type }),
    };
  }) as Node;
}
