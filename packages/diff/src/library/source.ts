// The two contracts of a comparison: as text, as a parsed document, or opened.
import { pathToFileURL } from 'node:url';
import { Contract, developmentPath, type Node } from '@stubwright/contract';
import type { Locations } from '../report/report.ts';

/** YAML or JSON, in one piece. @stubwright/cli reads it. */
export interface ContractText {
  readonly text: string;
  /** The name of the file in locations. */
  readonly file?: string;
}

/** A parsed OpenAPI 3.0, 3.1 or 3.2 document, in one piece. Its locations are JSON pointers. */
export interface ContractObjectSource {
  readonly document: object;
  readonly file?: string;
}

/** A contract that is checked, with the positions of its parts. */
export interface OpenedContract {
  readonly definition: Contract;
  readonly locations: Locations;
  /** `openapi.yaml` */
  readonly name: string;
  /** The errors of its operations, which are not compared. */
  readonly errors: readonly string[];
}

export type ContractSource = ContractText | ContractObjectSource | OpenedContract;

/** Of `@stubwright/cli/loader`. */
interface Reader {
  openText(text: string, options: { file: string }): Promise<OpenedContract>;
}

/**
 * @param name in locations, if the source has none
 * @throws {ContractErrors} for a text with errors of the whole contract
 */
export async function opened(source: ContractSource, name: string): Promise<OpenedContract> {
  if ('definition' in source) return source;
  const { file = name } = source;
  if ('text' in source) return (await reader(file)).openText(source.text, { file });
  const locations: Locations = {
    position: () => undefined,
    at: (pointer) => `${file}#${pointer}`,
  };
  const definition = new Contract(source.document as Node);
  return { definition, locations, name: file, errors: [] };
}

async function reader(file: string): Promise<Reader> {
  const module = developmentPath('@stubwright/cli/loader');
  if (module !== undefined) return await import(pathToFileURL(module).href);
  throw new Error(
    `${file}: got text, expected a document, or @stubwright/cli to be installed, which reads OpenAPI`,
  );
}
