// Reads `served` of compatibility.yaml: the versions that stay served, and how a request names one.
import { ContractErrors, isObject, type Node, shown, timeOf } from '@stubwright/contract';
import { CORE_SCHEMA, loadAll, mergeTag } from 'js-yaml';

/** A version that stays served. */
export interface ServedEntry {
  /** `1.4.0`, or a date. */
  readonly version: string;
  /** The path prefix that selects it; undefined for none. */
  readonly path: string | undefined;
  /** The day since which it is deprecated, `2026-11-01`; undefined for the end of `until`. */
  readonly deprecated?: string | undefined;
  /** The last day, `2027-06-30`; undefined without one. */
  readonly until: string | undefined;
  /** The path of its contract: a bundle, or an OpenAPI file with @stubwright/cli. */
  readonly contract: string;
  /** The path of the module that exports its `converters`. */
  readonly converters: string;
}

/** How a request names its version, and the versions, oldest first. */
export interface Configuration {
  /** The name of the header; undefined for none. */
  readonly header: string | undefined;
  /** The name of the parameter of Accept or Content-Type; undefined for none. */
  readonly mediaType: string | undefined;
  /** The version of a request that names none; undefined for the current one. */
  readonly default: string | undefined;
  readonly versions: readonly ServedEntry[];
}

/** The valid values of a key, and their description. */
type Field = readonly [isValid: (text: string) => boolean, expected: string];

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
const isToken = matches(/^[\w!#$%&'*+.^`|~-]+$/);
const isVersion = matches(/^[\w.+-]+$/);
const DATE: Field = [(text) => timeOf(text) !== undefined, 'a date such as 2027-06-30'];
const FILE: Field = [matches(/./), 'a path'];
const FIELDS = {
  header: [isToken, 'the name of a header'],
  mediaType: [isToken, 'the name of a parameter of a media type'],
  default: [isVersion, 'a served version'],
} satisfies Record<string, Field>;
const ENTRY_FIELDS = {
  version: [isVersion, "a version in quotes, such as '1.4.0'"],
  path: [matches(/^(?:\/[\w.~-]+)+$/), 'a path such as /v1'],
  ...{ deprecated: DATE, until: DATE, contract: FILE, converters: FILE },
} satisfies Record<string, Field>;

/**
 * @param text YAML with `served`, besides the policy of `stubwright diff`
 * @param file of the text, for messages
 * @returns undefined without served versions
 * @throws {ContractErrors} with every error
 */
export function configurationIn(text: string, file: string): Configuration | undefined {
  const content: unknown = parsed(text, file);
  const served: unknown = isObject(content) ? content['served'] : undefined;
  if (served === undefined) return undefined;
  const errors: string[] = [];
  const fail = (at: string, got: unknown, expected: string) => {
    errors.push(`${file}  ${at}: got ${shown(got)}, expected ${expected}`);
  };
  const configuration = read(served, fail);
  if (errors.length > 0) throw new ContractErrors(errors);
  return configuration;
}

function parsed(text: string, file: string): unknown {
  try {
    return loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag) })[0];
  } catch (error) {
    throw new ContractErrors([`${file}  ${(error as Error).message.split('\n')[0]}`]);
  }
}

type Fail = (at: string, got: unknown, expected: string) => void;

function read(served: unknown, fail: Fail): Configuration | undefined {
  if (!isObject(served)) {
    fail('served', served, 'a map with versions');
    return undefined;
  }
  const { versions, ...selection } = served;
  const selected = stringsIn(selection, FIELDS, { at: 'served', others: ['versions'], fail });
  if (!Array.isArray(versions) || versions.length === 0) {
    fail('served.versions', versions, 'an array of versions, oldest first');
    return undefined;
  }
  const entries = versions.flatMap((version: unknown, index) => {
    const at = `served.versions[${index}]`;
    if (isObject(version)) return [entryOf(version, at, fail)];
    fail(at, version, 'a map with version');
    return [];
  });
  const names = entries.map(({ version }) => version).filter((name) => name !== '');
  for (const text of names.filter((name, at) => names.indexOf(name) !== at)) {
    fail('served.versions', text, 'each version once');
  }
  const absent = { header: undefined, mediaType: undefined, default: undefined };
  return { ...absent, ...selected, versions: entries };
}

function entryOf(entry: Node, at: string, fail: Fail): ServedEntry {
  if (entry.version === undefined) fail(`${at}.version`, undefined, ENTRY_FIELDS.version[1]);
  const found = stringsIn(entry, ENTRY_FIELDS, { at, others: [], fail });
  // An invalid version has its error.
  const { version = '', path, deprecated, until, contract, converters } = found;
  const [since, end] = [timeOf(deprecated), timeOf(until)];
  if (deprecated !== undefined && !(since! <= end!)) {
    fail(`${at}.deprecated`, deprecated, 'a date that is not after until');
  }
  return {
    ...{ version, path, ...(deprecated !== undefined && { deprecated }), until },
    contract: contract ?? `generated/versions/${version}.json`,
    converters: converters ?? `src/versions/${version}.ts`,
  };
}

/** @returns the valid values of the fields; undefined for absent and invalid ones */
function stringsIn<Name extends string>(
  map: Node,
  fields: Readonly<Record<Name, Field>>,
  { at, others, fail }: { at: string; others: readonly string[]; fail: Fail },
): Partial<Record<Name, string>> {
  const known = [...Object.keys(fields), ...others];
  for (const key of Object.keys(map).filter((key) => !Object.hasOwn(fields, key))) {
    fail(at, key, `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`);
  }
  const valid = Object.entries<Field>(fields).flatMap(([key, [isValid, expected]]) => {
    const value: unknown = map[key];
    if (value === undefined || (typeof value === 'string' && isValid(value))) return [[key, value]];
    fail(`${at}.${key}`, value, expected);
    return [];
  });
  return Object.fromEntries(valid);
}

export interface SelectionContext {
  /** The version of the current contract. */
  readonly current: string;
  /** For messages. */
  readonly file: string;
  /** True if the service pins versions of principals. */
  readonly hasPin: boolean;
  /** The paths of each operation of the current contract, without the base path of the service. */
  readonly routes: readonly (readonly string[])[];
}

/** @returns a line for each selection that cannot work with the current contract */
export function selectionErrors(
  { header, mediaType, default: byDefault, versions }: Configuration,
  { current, file, hasPin, routes }: SelectionContext,
): string[] {
  const names = versions.map(({ version }) => version);
  const paths = versions.flatMap(({ path }) => path ?? []);
  const named = [...names, current].join(', ');
  const isUnknown = byDefault !== undefined && byDefault !== current && !names.includes(byDefault);
  const unreachable = versions.filter(
    ({ version, path }) =>
      !hasPin &&
      path === undefined &&
      header === undefined &&
      mediaType === undefined &&
      version !== byDefault,
  );
  const hiding = paths.flatMap((path) => {
    const isBelow = (route: string) => `${route}/`.startsWith(`${path}/`);
    const hidden = routes.find((route) => route.every(isBelow));
    return hidden === undefined ? [] : [{ path, route: hidden[0] }];
  });
  return [
    ...(names.includes(current)
      ? [`served.versions: got ${current}, expected versions before the current one`]
      : []),
    ...(isUnknown ? [`served.default: got ${byDefault}, expected one of ${named}`] : []),
    ...paths
      .filter((path, at) => paths.indexOf(path) !== at)
      .map((path) => `served.versions: got the path ${path} twice, expected one version`),
    ...hiding.map(
      ({ path, route }) =>
        `served.versions: the path ${path} hides ${route} of ${current}, expected another path`,
    ),
    ...unreachable.map(
      ({ version }) =>
        `served.versions: no request can name ${version}, expected its path, served.header, served.mediaType or the option pin`,
    ),
  ].map((line) => `${file}  ${line}`);
}
