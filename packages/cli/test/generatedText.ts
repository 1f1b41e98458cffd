// Writes the types, the client and the findings of contracts as text: `make transcripts`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACTS } from '@stubwright/test-support/recordedContracts';
import { createEmptyProject, type ToyProject } from './support/toyProject.ts';

const FOLDER = 'packages/cli/test/generated';

/** The names of contracts whose text is recorded. The types of random ones are compiled with samples instead. */
export const RECORDED = Object.keys(CONTRACTS).filter(
  (name) => !['media', 'schemas'].includes(name),
);

/** The options of clients of `clients.yaml`, by name. */
export const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  'client-tanstack': ['--query', 'tanstack', '--msw', '--dates', 'Date', '--int64', 'string'],
  'client-groups': ['--group', 'tags', '--int64', 'number', '--name', '@a/toys'],
};

/** Recorded with the contract, whatever the options. */
const OF_ALL_CLIENTS: readonly string[] = [
  'README.md',
  'contract.d.ts',
  'index.cjs',
  'index.d.cts',
];

export function generatedPath(name: string): string {
  return `${FOLDER}/${name}.txt`;
}

/** The files of the clients that are recorded, too: together they have each kind of operation. */
const CLIENT_FILES: Readonly<Record<string, readonly string[]>> = {
  types: ['client/README.md', 'client/index.js', 'client/index.d.ts', 'client/operations.d.ts'],
  // Its README has the calls of `@example` in operations.d.ts.
  'types-3.2': ['client/index.js', 'client/operations.d.ts'],
};

/** What openapi-typescript writes for parts that the contract does not have, in order of removal. */
const ABSENT_PARTS: readonly RegExp[] = [
  /^ *(?:query|header|path|cookie|get|put|post|delete|options|head|patch|trace|requestBody|content)\?: never;\n/gm,
  /^ *parameters: \{\n *\};\n/gm,
  /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm,
];

/** @returns what the commands print and write for a contract of `CONTRACTS` */
export async function generatedText(name: string): Promise<string> {
  const project = createEmptyProject();
  try {
    project.write('openapi.yaml', CONTRACTS[name]!);
    const clientFiles = CLIENT_FILES[name] ?? [];
    const commands = [
      ['check', 'openapi.yaml', '--all'],
      ['generate', 'openapi.yaml'],
      ...(clientFiles.length > 0 ? [['client', 'openapi.yaml'] as const] : []),
    ] as const;
    const sections: string[] = [];
    for (const [command, ...args] of commands) {
      const { status, out, err } = await project.run(command, ...args);
      sections.push(`$ ${[command, ...args].join(' ')} # ${status}\n${out}${err}`);
      if (status !== 0) return sections.join('\n');
    }
    const hasTypes = !name.startsWith('rich') && name !== 'docs';
    const files = [...(hasTypes ? ['generated/contract.ts'] : []), ...clientFiles];
    for (const file of files) sections.push(`--- ${file}\n${project.read(file)}`);
    return ABSENT_PARTS.reduce((text, part) => text.replaceAll(part, ''), sections.join('\n'));
  } finally {
    project.remove();
  }
}

/** @returns the files of a client of `CLIENTS`, of which the lines that its options change */
export async function clientText(name: string): Promise<string> {
  const project = createEmptyProject();
  try {
    project.write('openapi.yaml', readFileSync(`${FOLDER}/clients.yaml`, 'utf8'));
    const plain = await clientFiles(project, 'plain', []);
    const { printed, files } = await clientFiles(project, 'client', CLIENTS[name]!);
    const changed = [...files].flatMap(([file, lines]) => {
      const known = new Set(plain.files.get(file));
      const own = lines.filter((line) => !known.has(line));
      return own.length === 0 ? [] : [`--- ${file}`, ...own];
    });
    return [printed, ...changed, ''].join('\n').replaceAll(/"\^\d[^"]*"/g, '"VERSION"');
  } finally {
    project.remove();
  }
}

async function clientFiles(project: ToyProject, folder: string, options: readonly string[]) {
  const { status, out, err } = await project.run('client', 'openapi.yaml', folder, ...options);
  const names = readdirSync(join(project.path, folder))
    .filter((file) => !OF_ALL_CLIENTS.includes(file))
    .sort();
  return {
    printed: `$ client ${options.join(' ')} # ${status}\n${out}${err}`,
    files: new Map(names.map((file) => [file, project.read(`${folder}/${file}`).split('\n')])),
  };
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of RECORDED) {
    writeFileSync(generatedPath(name), await generatedText(name));
  }
  for (const name of Object.keys(CLIENTS)) {
    writeFileSync(generatedPath(name), await clientText(name));
  }
}
