// Writes the types, the client and the findings of contracts as text: `make transcripts`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '@stubwright/contract';
import fc from 'fast-check';
import { generatedContract } from '../../stubwright/test/support/generatedContract.ts';
import { RICH } from './loading/richContracts.ts';
import { mediaContract } from './support/mediaContract.ts';
import { createEmptyProject } from './support/toyProject.ts';

const FOLDER = 'packages/cli/test/generated';

/** By name: YAML. */
export const CONTRACTS: Readonly<Record<string, string>> = {
  types: readFileSync('packages/cli/test/types/contract.yaml', 'utf8'),
  'types-3.2': readFileSync('packages/cli/test/types/openapi32.yaml', 'utf8'),
  'part-headers': readFileSync('packages/cli/test/types/partHeaders.yaml', 'utf8'),
  docs: readFileSync('packages/service/test/docs/everything.yaml', 'utf8'),
  /** Has every warning of the loader. */
  odd: readFileSync(`${FOLDER}/odd.yaml`, 'utf8'),
  /** Has every error of the loader. */
  broken: readFileSync(`${FOLDER}/broken.yaml`, 'utf8'),
  'rich-3.0': JSON.stringify(RICH['3.0.3'], null, 2),
  'rich-3.2': JSON.stringify(RICH['3.2.0'], null, 2),
  media: sampled(mediaContract),
  schemas: sampled(generatedContract),
};

/** The options of clients of `clients.yaml`, by name. */
export const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  'client-tanstack': ['--query', 'tanstack', '--msw', '--dates', 'Date', '--int64', 'string'],
  'client-groups': ['--group', 'tags', '--int64', 'number', '--name', '@a/toys'],
};

function sampled(contracts: fc.Arbitrary<object>): string {
  return stringifyJson(fc.sample(contracts, { numRuns: 1, seed: 1 })[0]);
}

export function generatedPath(name: string): string {
  return `${FOLDER}/${name}.txt`;
}

const OUTPUTS = [
  'generated/contract.ts',
  'client/README.md',
  'client/index.js',
  'client/index.d.ts',
  'client/operations.d.ts',
];

/** @returns what the commands print and write for a contract */
export async function generatedText(contract: string): Promise<string> {
  const project = createEmptyProject([]);
  try {
    project.write('openapi.yaml', contract);
    const commands = [
      ['check', 'openapi.yaml'],
      ['generate', 'openapi.yaml'],
      ['client', 'openapi.yaml'],
    ] as const;
    const sections: string[] = [];
    for (const [command, ...args] of commands) {
      const { status, out, err } = await project.run(command, ...args);
      sections.push(`$ ${[command, ...args].join(' ')} # ${status}\n${out}${err}`);
      if (status !== 0) return sections.join('\n');
    }
    for (const file of OUTPUTS) sections.push(`--- ${file}\n${project.read(file)}`);
    return sections.join('\n');
  } finally {
    project.remove();
  }
}

/** @returns the files of a client with options */
export async function clientText(options: readonly string[]): Promise<string> {
  const project = createEmptyProject([]);
  try {
    project.write('openapi.yaml', readFileSync(`${FOLDER}/clients.yaml`, 'utf8'));
    const { status, out, err } = await project.run('client', ...options);
    const files = readdirSync(join(project.path, 'client')).sort();
    return [
      `$ client ${options.join(' ')} # ${status}\n${out}${err}`,
      ...files.map((file) => `--- ${file}\n${project.read(`client/${file}`)}`),
    ]
      .join('\n')
      .replaceAll(/"\^\d[^"]*"/g, '"VERSION"');
  } finally {
    project.remove();
  }
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, contract] of Object.entries(CONTRACTS)) {
    writeFileSync(generatedPath(name), await generatedText(contract));
  }
  for (const [name, options] of Object.entries(CLIENTS)) {
    writeFileSync(generatedPath(name), await clientText(options));
  }
}
