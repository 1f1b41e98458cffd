// Relative links of a page -> links to the files of a release, which work on npm.
import { posix } from 'node:path';

/**
 * @param path of the page in the repository
 * @param repository its URL, as in package.json
 * @param tag of the release
 */
export function withAbsoluteLinks(
  page: string,
  { path, repository, tag }: Readonly<Record<'path' | 'repository' | 'tag', string>>,
): string {
  const files = `${webUrlOf(repository)}/blob/${tag}`;
  return page.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, link: string) => {
    const [file = '', ...anchor] = link.split('#');
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    return `](${[`${files}/${target}`, ...anchor].join('#')})`;
  });
}

/** `git+https://host/owner/name.git` -> `https://host/owner/name` */
export function webUrlOf(repository: string): string {
  return repository.replace(/^git\+/, '').replace(/\.git$/, '');
}
