// The files that a contract is published as.
import type { PublishedYaml } from '../contract/bundle.ts';
import type { Node } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import { exactIntegers, withExactExamples } from './exactIntegers.ts';
import { withServers } from './servers.ts';

/** A contract as it is published. */
export interface PublishedContract {
  readonly document: Node;
  /** Where clients reach the service, if that is known. */
  readonly baseUrl: string | undefined;
  /** What every path starts with; `''` for none. */
  readonly prefix: string;
}

/** The text of one of the files that the contract is published as JSON. */
export type JsonFile = keyof typeof WRITERS;

const WRITERS = {
  /** Every integer with all its digits. */
  json: ({ document, baseUrl }: PublishedContract) => {
    const whole = baseUrl === undefined ? document : withServers(document, serversOf(baseUrl));
    return stringifyJson(exactIntegers(whole), 2);
  },
  /** For the page, which sends its requests to the host that it came from. */
  page: ({ document, prefix }: PublishedContract) => {
    const whole = withServers(document, [{ url: prefix || '/' }]);
    return stringifyJson(withExactExamples(exactIntegers(whole)));
  },
};

export function jsonText(file: JsonFile, options: PublishedContract): string {
  return WRITERS[file](options);
}

/** @returns YAML (RFC 9512), its `servers` those that clients reach */
export function yamlText(yaml: PublishedYaml, baseUrl: string | undefined): string {
  if (baseUrl === undefined) return yaml.text;
  const {
    text,
    servers: [start, end],
  } = yaml.rebased ?? yaml;
  const [{ url }] = serversOf(baseUrl);
  // A URL is a plain scalar (YAML 1.2, section 7.3.3): it has no space.
  return `${text.slice(0, start)}servers:\n  - url: ${url}\n${text.slice(end)}`;
}

function serversOf(baseUrl: string): [{ url: string }] {
  return [{ url: baseUrl.replace(/\/+$/, '') }];
}
