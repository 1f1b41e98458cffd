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
      ...{ version, name, text: schemeText(scheme) },
    })),
  );
  const operations = versions.flatMap(({ version, definition }) =>
    definition.operations.map(({ method, path, security }) => {
      const name = `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
      return { version, name, text: JSON.stringify(security) };
    }),
  );
  return [
    ...differing(schemes).map(
      ([{ name, ...one }, other]) =>
        `pin: the security scheme ${name} is ${one.text} in ${one.version} and ${other.text} in ${other.version}, expected the same in all versions`,
    ),
    ...differing(operations).map(
      ([{ name, ...one }, other]) =>
        `pin: ${name} requires ${one.text} in ${one.version} and ${other.text} in ${other.version}, expected the same security in all versions`,
    ),
  ];
}

interface Described {
  readonly version: string;
  readonly name: string;
  readonly text: string;
}

/** @returns the first of each name with the first that differs from it */
function differing(all: readonly Described[]): (readonly [Described, Described])[] {
  const byName = Map.groupBy(all, ({ name }) => name);
  return [...byName.values()].flatMap(([first, ...others]) => {
    const other = others.find(({ text }) => text !== first!.text);
    return other === undefined ? [] : [[first!, other] as const];
  });
}

function schemeText({ type, scheme, header, in: where, name }: SecurityScheme): string {
  return JSON.stringify({ type, scheme, header, ...(where && { in: where, name }) });
}
