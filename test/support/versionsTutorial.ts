// Follows the tutorial of served versions; as a program, writes the output of its commands into the page.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { followed, sectionOf } from './tutorial.ts';

export const PAGE = 'docs/stubwright/versions.md';
const INIT = 'npx --yes stubwright init';

/** @returns the section of the page */
export function tutorial(): string {
  return sectionOf(PAGE, 'From an empty folder');
}

/** With the packages of this repository. @returns the section, with the output of its commands as it is now */
export function followedLocally(folder: string): Promise<string> {
  const local = `'${process.execPath}' '${resolve('packages/cli/src/main.ts')}'`;
  return followed(tutorial(), {
    folder,
    env: {
      ...process.env,
      ...{ NODE_OPTIONS: '', NODE_NO_WARNINGS: '1', COLUMNS: '100' },
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    },
    replaced(command, project) {
      if (command.startsWith(INIT)) return `${command.replace(INIT, `${local} init`)} --no-install`;
      const modules = join(project, 'node_modules');
      if (!existsSync(modules)) symlinkSync(resolve('node_modules'), modules);
      return command.startsWith('npm install') ? '' : command;
    },
  });
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'tutorial-'));
  try {
    const text = await followedLocally(folder);
    writeFileSync(
      PAGE,
      readFileSync(PAGE, 'utf8').replace(tutorial(), () => text),
    );
    process.stdout.write(`${PAGE}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
