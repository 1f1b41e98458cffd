// A project that serves version 1.4.0 of books.ts with correct converters.
import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import { createEmptyProject, type ToyProject } from '../support/toyProject.ts';
import { OLDER } from './books.ts';

const HERE = resolve('packages/cli/test/serving');

export interface BooksProject extends ToyProject {
  /** @param change statements that change the correct converters */
  writeConverters(change: string): void;
  /** @param members of the service, besides the handlers of booksService.ts */
  writeService(members: string): void;
  /** @returns a project with the same files, which are created in less time */
  copy(): BooksProject;
}

/** @param contract the current one */
export async function createBooksProject(contract: string): Promise<BooksProject> {
  const books = booksIn(createEmptyProject());
  books.write('package.json', '{"type":"module"}');
  books.writeService('');
  books.write('openapi.yaml', OLDER);
  await books.run('release', '--no-client');
  books.write('openapi.yaml', contract);
  await books.run('serve-version', '1.4.0', '--path', '/v1');
  books.writeConverters('');
  return books;
}

function booksIn(project: ToyProject): BooksProject {
  return {
    ...project,
    copy() {
      const copied = createEmptyProject();
      cpSync(project.path, copied.path, { recursive: true });
      return booksIn(copied);
    },
    writeConverters(change) {
      project.write(
        'src/versions/1.4.0.ts',
        `import { correctConverters } from '${HERE}/books.ts';
export const converters = correctConverters();
${change}
`,
      );
    },
    writeService(members) {
      project.write(
        'src/service.ts',
        `import { handlers } from '${HERE}/booksService.ts';
export const service = { handlers, ${members} };
`,
      );
    },
  };
}
