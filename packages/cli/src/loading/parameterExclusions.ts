// What the specification excludes in parameters and headers.

import { isObject, type Node } from '@stubwright/contract';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Reports a property of the visited object, which is present. */
export type Warn = (field: string | readonly string[], what: string, expected: string) => void;

/** @returns a check that reports each of the fields `others` beside `field` */
export function exclude(field: string, ...others: readonly string[]) {
  return (node: Node, warn: Warn) => {
    if (node[field] === undefined) return;
    for (const other of others) {
      if (node[other] === undefined) continue;
      warn(other, `${other} and ${field} exclude each other`, 'one of them');
    }
  };
}

export function checkParameter(parameter: Node, minor: number, warn: Warn): void {
  const { in: where, name, required, allowReserved, allowEmptyValue } = parameter;
  if (minor < 2 || where !== 'cookie' || parameter.style !== 'cookie') {
    checkValue(parameter, where, warn);
  } else checkValue({ ...parameter, style: undefined }, where, warn);
  if (where === 'path' && required !== true) {
    const field = required === undefined ? 'in' : 'required';
    warn(field, 'the path parameter is not required', 'required: true');
  }
  if (where === 'path' && /[{}]/.test(name)) {
    warn('name', `the path parameter ${name} has a brace in its name`, 'a name without { and }');
  }
  if (where === 'header') checkToken(name, 'name', warn);
  const reserves = ['query', ...(minor >= 2 ? ['path', 'cookie'] : [])];
  const isReserving = reserves.includes(where) && parameter.style !== 'cookie';
  if (allowReserved !== undefined && !isReserving) {
    warn(
      'allowReserved',
      `allowReserved has no effect in ${where}`,
      `it in ${reserves.join(', ')}`,
    );
  }
  if (allowEmptyValue !== undefined && where !== 'query') {
    warn('allowEmptyValue', `allowEmptyValue has no effect in ${where}`, 'it in query');
  }
}

/** `schema` with its style, or `content`: of a parameter or header. */
export function checkValue(node: Node, where: string, warn: Warn): void {
  const { schema, content, style, example, examples } = node;
  exclude('examples', 'example')(node, warn);
  exclude('schema', 'content')(node, warn);
  if (schema === undefined && (example ?? examples) === undefined) {
    exclude('content', 'style', 'explode', 'allowReserved')(node, warn);
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
  if (style === undefined || styles === undefined || styles.includes(style)) return;
  warn('style', `style is ${style} in ${where}`, `one of ${styles.join(', ')}`);
}

export function checkToken(name: unknown, field: string | readonly string[], warn: Warn): void {
  if (typeof name !== 'string' || TOKEN.test(name)) return;
  warn(field, `${name} is not a name of a header`, 'letters, digits and - as in X-Rate-Limit');
}
