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

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const PATH = /^(?:\/[\w.~-]+)+$/;
const VERSION = /^[\w.+-]+$/;
const NOT_EMPTY = /./;

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

/** The value of a key, if it is valid; undefined for an absent one. */
type Read = (key: string, pattern: RegExp, expected: string) => string | undefined;

function read(served: unknown, fail: Fail): Configuration | undefined {
  if (!isObject(served)) {
    fail('served', served, 'a map with versions');
    return undefined;
  }
  const { header: _, mediaType: __, default: ___, versions, ...others } = served;
  for (const key of Object.keys(others)) {
    fail('served', key, 'header, mediaType, default or versions');
  }
  if (!Array.isArray(versions) || versions.length === 0) {
    fail('served.versions', versions, 'an array of versions, oldest first');
    return undefined;
  }
  const string = stringReader(served, 'served', fail);
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
  return {
    header: string('header', TOKEN, 'the name of a header'),
    mediaType: string('mediaType', TOKEN, 'the name of a parameter of a media type'),
    default: string('default', VERSION, 'a served version'),
    versions: entries,
  };
}

function entryOf(entry: Node, at: string, fail: Fail): ServedEntry {
  const { version, path: _, deprecated, until, contract: __, converters: ___, ...others } = entry;
  for (const key of Object.keys(others)) {
    fail(at, key, 'version, path, deprecated, until, contract or converters');
  }
  const string = stringReader(entry, at, fail);
  const versionFormat = "a version in quotes, such as '1.4.0'";
  if (version === undefined) fail(`${at}.version`, version, versionFormat);
  // An invalid version has its error.
  const name = string('version', VERSION, versionFormat) ?? '';
  for (const [key, date] of Object.entries({ deprecated, until })) {
    if (date !== undefined && timeOf(date) === undefined) {
      fail(`${at}.${key}`, date, 'a date such as 2027-06-30');
    }
  }
  const [since, end] = [timeOf(deprecated), timeOf(until)];
  if (deprecated !== undefined && !(since! <= end!)) {
    fail(`${at}.deprecated`, deprecated, 'a date that is not after until');
  }
  return {
    version: name,
    path: string('path', PATH, 'a path such as /v1'),
    ...(deprecated !== undefined && { deprecated }),
    until,
    contract: string('contract', NOT_EMPTY, 'a path') ?? `generated/versions/${name}.json`,
    converters: string('converters', NOT_EMPTY, 'a path') ?? `src/versions/${name}.ts`,
  };
}

function stringReader(map: Readonly<Record<string, unknown>>, at: string, fail: Fail): Read {
  return (key, pattern, expected) => {
    const value = map[key];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && pattern.test(value)) return value;
    fail(`${at}.${key}`, value, expected);
    return undefined;
  };
}

export interface SelectionContext {
  /** The version of the current contract. */
  readonly current: string;
  /** For messages. */
  readonly file: string;
  /** True if the service pins versions of principals. */
  readonly hasPin: boolean;
}

/** @returns a line for each selection that cannot work with the current contract */
export function selectionErrors(
  { header, mediaType, default: byDefault, versions }: Configuration,
  { current, file, hasPin }: SelectionContext,
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
  return [
    ...(names.includes(current)
      ? [`served.versions: got ${current}, expected versions before the current one`]
      : []),
    ...(isUnknown ? [`served.default: got ${byDefault}, expected one of ${named}`] : []),
    ...paths
      .filter((path, at) => paths.indexOf(path) !== at)
      .map((path) => `served.versions: got the path ${path} twice, expected one version`),
    ...unreachable.map(
      ({ version }) =>
        `served.versions: no request can name ${version}, expected its path, served.header, served.mediaType or the option pin`,
    ),
  ].map((line) => `${file}  ${line}`);
}
