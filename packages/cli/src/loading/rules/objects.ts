// What the specification excludes in one object although each value has a valid kind.
import {
  COMPOSITIONS,
  isObject,
  isSequential,
  METHODS,
  type Node,
  parseMediaType,
} from '@stubwright/contract';
import { isLinear } from '../../patterns/linearPattern.ts';
import type { Visit } from '../walk.ts';
import type { ContractRule, RuleContext } from './rule.ts';

const COMPONENT_NAME = /^[a-zA-Z0-9._-]+$/;
const STATUS = /^(?:default|[1-5](?:\d\d|XX))$/;
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIXED_METHODS = new Set(METHODS.map((method) => method.toUpperCase()));
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Warns at the key of a property. */
type Warn = (keys: string | readonly string[], what: string, expected: string) => void;

const visiting =
  (check: (node: Node, warn: Warn, context: RuleContext) => void) =>
  (node: Node, visit: Visit, context: RuleContext) => {
    const warn: Warn = (keys, what, expected) => {
      const at = { keys: [keys].flat(), isKey: true };
      context.reporter.warning(visit, `${what}  expected ${expected}`, at);
    };
    check(node, warn, context);
  };

export const singleObjects: ContractRule = {
  code: 'object',
  objects: {
    Root: visiting(({ $self }, warn, { minor }) => {
      if (minor < 2 || !String($self).includes('#')) return;
      warn('$self', '$self has a fragment', 'a URI reference without one');
    }),
    ServerVariable: visiting(({ enum: values }, warn, { minor }) => {
      if (minor < 1 || !Array.isArray(values) || values.length > 0) return;
      warn('enum', 'enum is empty', 'at least one value');
    }),
    Components: visiting((components, warn) => {
      for (const [kind, map] of Object.entries(components)) {
        if (kind.startsWith('x-')) continue;
        for (const name of Object.keys(Object(map))) {
          if (COMPONENT_NAME.test(name)) continue;
          warn([kind, name], `${name} is not a name of a component`, 'letters, digits, ., - and _');
        }
      }
    }),
    PathItem: visiting(({ additionalOperations }, warn) => {
      for (const name of Object.keys(Object(additionalOperations))) {
        if (!FIXED_METHODS.has(name)) continue;
        const expected = `the property ${name.toLowerCase()}`;
        warn(['additionalOperations', name], `${name} is not an additional operation`, expected);
      }
    }),
    Response: visiting((response, warn) => {
      const { headers } = response;
      for (const name of Object.keys(Object(headers))) checkToken(name, ['headers', name], warn);
      checkItems(response, warn);
    }),
    Parameter: visiting(checkParameter),
    RequestBody: visiting(checkItems),
    Header: visiting((header, warn) => {
      checkValue(header, 'header', warn);
      if (header.allowReserved === undefined) return;
      warn('allowReserved', 'allowReserved has no effect in a header', 'it in query parameters');
    }),
    Link: visiting(({ parameters, operationRef, operationId }, warn) => {
      if (parameters !== undefined && !isObject(parameters)) {
        warn('parameters', 'parameters is no object', 'values by name of the parameter');
      }
      if ((operationRef ?? operationId) !== undefined) return;
      warn([], 'the link has no operation', 'operationId or operationRef');
    }),
    SecurityScheme: visiting(({ scheme, bearerFormat }, warn) => {
      if (bearerFormat === undefined || /^bearer$/i.test(scheme)) return;
      warn('bearerFormat', `bearerFormat has no effect with ${scheme}`, 'scheme: bearer');
    }),
    ...Object.fromEntries(
      ['Implicit', 'Token', 'Code', 'Device'].map((flow) => [`${flow}Flow`, visiting(checkScopes)]),
    ),
    Schema: visiting((schema, warn, { minor }) => {
      if (minor === 0 && Array.isArray(schema.items)) {
        warn('items', 'items is an array', 'one schema for all items');
      }
      for (const keyword of ['type', ...COMPOSITIONS]) {
        if (!Array.isArray(schema[keyword]) || schema[keyword].length > 0) continue;
        warn(keyword, `${keyword} is empty`, 'at least one item');
      }
    }),
  },
};

/** Others are no fields of a Responses Object. */
export const statuses: ContractRule = {
  code: 'struct',
  objects: {
    Operation: visiting(({ responses }, warn) => {
      if (!isObject(responses)) return;
      const statuses = Object.keys(responses);
      if (statuses.length === 0) warn('responses', 'responses is empty', 'a response');
      for (const status of statuses) {
        if (STATUS.test(status) || status.startsWith('x-') || status === '$ref') continue;
        const expected = '200, 2XX, default or another status';
        warn(['responses', status], `${status} is not a status`, expected);
      }
    }),
  },
};

function checkScopes({ scopes }: Node, warn: Warn): void {
  for (const [name, description] of Object.entries(Object(scopes))) {
    if (typeof description === 'string') continue;
    warn(['scopes', name], `the scope ${name} has no description`, 'a string');
  }
}

/** Bodies of other media types are not read as sequences. */
function checkItems({ content }: Node, warn: Warn): void {
  for (const [key, media] of Object.entries<Node>(Object(content))) {
    const type = parseMediaType(key)?.type ?? key;
    if (media?.itemSchema === undefined || type.includes('*') || isSequential(type)) continue;
    const expected = 'application/jsonl, application/x-ndjson or text/event-stream';
    warn(['content', key, 'itemSchema'], `itemSchema has no effect in ${key}`, expected);
  }
}

function checkParameter(parameter: Node, warn: Warn, { minor }: RuleContext): void {
  const { in: where, name, required, allowReserved, allowEmptyValue, style } = parameter;
  const isCookieStyle = minor >= 2 && where === 'cookie' && style === 'cookie';
  checkValue(isCookieStyle ? { ...parameter, style: undefined } : parameter, where, warn);
  if (where === 'path' && required !== true) {
    const field = required === undefined ? 'in' : 'required';
    warn(field, 'the path parameter is not required', 'required: true');
  }
  if (where === 'path' && /[{}]/.test(name)) {
    warn('name', `the path parameter ${name} has a brace in its name`, 'a name without { and }');
  }
  if (where === 'header') checkToken(name, 'name', warn);
  const reserves = ['query', ...(minor >= 2 ? ['path', 'cookie'] : [])];
  const isReserving = reserves.includes(where) && style !== 'cookie';
  if (allowReserved !== undefined && !isReserving) {
    const expected = `it in ${reserves.join(', ')}`;
    warn('allowReserved', `allowReserved has no effect in ${where}`, expected);
  }
  if (allowEmptyValue !== undefined && where !== 'query') {
    warn('allowEmptyValue', `allowEmptyValue has no effect in ${where}`, 'it in query');
  }
}

/** `schema` with its style, or `content`: of a parameter or header. */
function checkValue(node: Node, where: string, warn: Warn): void {
  const { schema, content, style, example, examples } = node;
  if (content !== undefined && schema === undefined && (example ?? examples) === undefined) {
    for (const other of ['style', 'explode', 'allowReserved']) {
      if (node[other] === undefined) continue;
      warn(other, `${other} and content exclude each other`, 'one of them');
    }
  }
  if (isObject(content) && Object.keys(content).length !== 1) {
    warn('content', `content has ${Object.keys(content).length} media types`, 'one');
  }
  if (where === 'querystring') {
    for (const field of ['schema', 'style', 'explode', 'allowReserved']) {
      if (node[field] === undefined) continue;
      warn(field, `${field} has no effect in querystring`, 'content with one media type');
    }
  }
  const styles = STYLES[where];
  if (typeof style !== 'string' || styles === undefined || styles.includes(style)) return;
  warn('style', `style is ${style} in ${where}`, `one of ${styles.join(', ')}`);
}

function checkToken(name: unknown, keys: string | readonly string[], warn: Warn): void {
  if (typeof name !== 'string' || TOKEN.test(name)) return;
  warn(keys, `${name} is not a name of a header`, 'letters, digits and - as in X-Rate-Limit');
}

export const names: ContractRule = {
  code: 'name',
  objects: {
    Root: visiting(({ servers, tags }, warn, { minor }) => {
      if (minor < 2) return;
      const used = new Set<unknown>();
      for (const [at, server] of Array.isArray(servers) ? servers.entries() : []) {
        const name: unknown = Object(server).name;
        if (name !== undefined && used.has(name)) {
          const keys = ['servers', `${at}`, 'name'];
          warn(keys, `two servers have the name ${name}`, 'a name of its own');
        }
        used.add(name);
      }
      if (!Array.isArray(tags)) return;
      const parents = new Map<unknown, unknown>(tags.map((tag) => [tag?.name, tag?.parent]));
      const circles = circularNames(parents);
      for (const [at, tag] of tags.entries()) {
        const { name, parent } = Object(tag);
        if (parent === undefined) continue;
        const keys = ['tags', `${at}`, 'parent'];
        if (!parents.has(parent)) warn(keys, `the tag ${parent} is unknown`, 'a name in tags');
        if (!circles.has(name)) continue;
        warn(keys, `the tag ${name} is its own ancestor`, 'another parent');
      }
    }),
  },
};

/** Visits each name once. */
function circularNames(parents: ReadonlyMap<unknown, unknown>): Set<unknown> {
  const visited = new Set<unknown>();
  const circular = new Set<unknown>();
  for (const first of parents.keys()) {
    const path: unknown[] = [];
    let name: unknown = first;
    for (; name !== undefined && !visited.has(name); name = parents.get(name)) {
      visited.add(name);
      path.push(name);
    }
    const start = path.indexOf(name);
    if (start >= 0) for (const ancestor of path.slice(start)) circular.add(ancestor);
  }
  return circular;
}

export const patterns: ContractRule = {
  code: 'pattern',
  objects: {
    Schema({ pattern, patternProperties }, visit, { reporter }) {
      const refuse = (text: string, keys: readonly string[], isKey: boolean) => {
        if (isLinear(text)) return;
        const message = `${text} may take exponential time  expected no back reference to a repetition, and at most 1,000 characters and repetitions`;
        reporter.error(visit, message, { keys, isKey });
      };
      if (typeof pattern === 'string') refuse(pattern, ['pattern'], false);
      if (!isObject(patternProperties)) return;
      for (const text of Object.keys(patternProperties)) {
        refuse(text, ['patternProperties', text], true);
      }
    },
  },
};
