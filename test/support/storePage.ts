// Follows docs/stubwright/store.md from an empty folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@stubwright/test-support/freePort';
import { startProcess } from '@stubwright/test-support/runningProcess';
import { filesOf } from '../../docs/examples.ts';

const PAGE = 'docs/stubwright/store.md';

/** Runs a command of the page in a folder, to its end. */
export type RunCommand = (command: string, folder: string) => void;

export interface Reader {
  /** The folder of the project. */
  readonly project: string;
  /** A handler that `init` wrote, as the page shows it, and as it is. */
  readonly handler: { readonly shown: string; readonly written: string };
}

/** The steps before the start. @param folder an empty one */
export function followPage(folder: string, run: RunCommand): Reader {
  const files = filesOf(PAGE);
  const [init = ''] = blocksOf('sh');
  writeFileSync(join(folder, 'openapi.yaml'), files.get('openapi.yaml')!);
  const [command, cd] = init.trim().split('\n') as [string, string];
  run(command, folder);
  const project = join(folder, cd.replace('cd ', ''));
  const name = 'src/handlers/addVehicle.ts';
  const handler = {
    shown: withoutFirstLine(files.get(name)!),
    written: readFileSync(join(project, name), 'utf8'),
  };
  writePageFile(project, 'src/handlers/getVehicle.ts');
  return { project, handler };
}

/** Writes a file of the page, without the comment that names it. */
export function writePageFile(project: string, file: string): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, file), withoutFirstLine(filesOf(PAGE).get(file)!));
}

/** @returns the commands of the page that need no more than the project, by their beginning */
export function commandOf(beginning: string): string {
  const lines = blocksOf('sh').flatMap((block) => block.trim().split('\n'));
  return lines.find((line) => line.startsWith(beginning))!;
}

function withoutFirstLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

function blocksOf(language: string): string[] {
  const page = readFileSync(PAGE, 'utf8');
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block]) => block!);
}

/** Starts the project, and runs the curl commands of the page. @returns the page's output, and theirs */
export async function transcriptOf(
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ shown: string; printed: string }> {
  const PORT = String(await freePort());
  // In a group, which a signal reaches as a whole: npm and the service.
  const options = { cwd: project, env: { ...env, PORT }, detached: true };
  await using service = startProcess(['npm', 'start'], options);
  await service.printed(/"msg":"listening"/);
  const [shown = ''] = blocksOf('console');
  const lines = shown.split('\n').filter((line) => line.startsWith('$ '));
  const printed = lines.map((line) => {
    const command = line.slice(2).replaceAll(':3000', `:${PORT}`);
    const output = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
    return `${line}\n${output.replace(/\n?$/, '\n')}`;
  });
  return { shown, printed: printed.join('') };
}
