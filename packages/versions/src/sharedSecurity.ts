// Whether the versions of a contract share their security: a pin needs the principal before the version.
import type { Contract, SecurityScheme } from '@stubwright/contract';

export interface VersionContract {
  readonly version: string;
  readonly definition: Contract;
}

/** @returns a line for each operation and scheme that differs between two versions */
export function securityErrors(versions: readonly VersionContract[]): string[] {
  const schemes = versions.flatMap(({ version, definition }) =>
    Array.from(definition.securitySchemes, ([name, scheme]) => ({
      ...{ version, name: `the security scheme ${name} is`, text: schemeText(scheme) },
    })),
  );
  const operations = versions.flatMap(({ version, definition }) =>
    definition.operations.map(({ method, path, security }) => {
      const name = `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')} requires`;
      return { version, name, text: JSON.stringify(security) };
    }),
  );
  return [...differences(schemes, 'the same'), ...differences(operations, 'the same security')];
}

interface Described {
  readonly version: string;
  readonly name: string;
  readonly text: string;
}

/** @returns a line for the first of each name with the first that differs from it */
function differences(all: readonly Described[], expected: string): string[] {
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, [first, ...others]]) => {
    const other = others.find(({ text }) => text !== first!.text);
    if (other === undefined) return [];
    const both = `${first!.text} in ${first!.version} and ${other.text} in ${other.version}`;
    return [`pin: ${name} ${both}, expected ${expected} in all versions`];
  });
}

function schemeText({ type, scheme, header, in: where, name }: SecurityScheme): string {
  return JSON.stringify({ type, scheme, header, ...(where && { in: where, name }) });
}
