// Writes openapi.yaml plus GitHub's operations, as JSON for the peers and as a bundle for this project.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleOf } from '@stubwright/cli/loader';
import { bundleText } from '@stubwright/contract';
import { parse } from 'yaml';
import { dataFolder, project } from './machine.ts';

// biome-ignore lint/suspicious/noExplicitAny: an external document of any shape
type Node = Record<string, any>;

export interface LargeContract {
  readonly path: string;
  readonly bundle: string;
  readonly operations: number;
}

/** @returns the paths of the written files and the number of operations */
export async function writeLargeContract(): Promise<LargeContract> {
  const own: Node = parse(readFileSync(join(project, 'openapi.yaml'), 'utf8'));
  const from = createRequire(import.meta.url).resolve(
    '@octokit/openapi/generated/api.github.com.json',
  );
  const github: Node = JSON.parse(readFileSync(from, 'utf8'));
  const document = {
    ...own,
    paths: merged(own.paths, github.paths),
    components: { ...github.components },
  };
  for (const [kind, parts] of Object.entries<Node>(own.components)) {
    document.components[kind] = merged(parts, github.components[kind] ?? {});
  }
  const path = join(dataFolder, 'large.json');
  writeFileSync(path, JSON.stringify(document));
  const bundle = join(dataFolder, 'large.bundle.json');
  writeFileSync(bundle, bundleText(await bundleOf(path, dataFolder)));
  return { path, bundle, operations: countOperations(document.paths) };
}

function merged(own: Node, other: Node): Node {
  const twice = Object.keys(own).filter((name) => Object.hasOwn(other, name));
  if (twice.length > 0) throw new Error(`both contracts have ${twice.join(', ')}`);
  return { ...own, ...other };
}

function countOperations(paths: Node): number {
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
  return Object.values<Node>(paths).flatMap((item) => methods.filter((m) => item[m])).length;
}
