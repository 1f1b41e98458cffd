// The pages of the site: their files, routes and links.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** File in the repository -> page of the site. Those of docs/ lose the folder. */
const RENAMED: Readonly<Record<string, string>> = {
  'README.md': 'plant-store/index.md',
  'docs/README.md': 'index.md',
  'docs/decisions/README.md': 'decisions.md',
  'docs/examples/README.md': 'examples.md',
  'docs/examples/versions/README.md': 'examples/versions.md',
  'bench/README.md': 'benchmarks.md',
  'packages/cli/README.md': 'stubwright/cli.md',
  'packages/client/README.md': 'stubwright/client-runtime.md',
  'packages/contract/README.md': 'stubwright/contract-package.md',
  'packages/diff/README.md': 'stubwright/diff-package.md',
  'packages/lsp/README.md': 'stubwright/lsp-package.md',
  'packages/mock/README.md': 'stubwright/mock-package.md',
  'packages/service/README.md': 'stubwright/service-package.md',
  'packages/store/README.md': 'stubwright/store-package.md',
  'packages/versions/README.md': 'stubwright/versions-package.md',
  'packages/stubwright/README.md': 'stubwright/library.md',
  'packages/webhooks/README.md': 'stubwright/webhooks-package.md',
  'packages/traffic/README.md': 'stubwright/traffic-package.md',
};

/** File in the repository -> page, both with `.md`. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  globSync(['docs/**/*.md', ...Object.keys(RENAMED)], {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'docs/site/**'],
  })
    .sort()
    .map((file) => [file, RENAMED[file] ?? file.replace(/^docs\//, '')]),
);

interface Manifest {
  readonly repository: { readonly url: string };
}

const { repository }: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
export const REPOSITORY = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/**
 * @param href as in the file, such as `../README.md#the-plant-store`
 * @param file in the repository
 * @returns the page, such as `/plant-store/index.md#the-plant-store`, or the URL of another file
 * @throws if the repository has no such file
 */
export function linkOf(href: string, file: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  if (!existsSync(join(ROOT, target))) {
    throw new Error(`${file}: got the link ${href}, expected a file of the repository`);
  }
  const page = PAGES.get(target);
  const link = page === undefined ? `${REPOSITORY}/blob/main/${target}` : `/${page}`;
  return anchor === undefined ? link : `${link}#${anchor}`;
}

/** The anchor that GitHub makes of a heading: links work there as well as here. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

interface Group {
  readonly text: string;
  readonly items: { text: string; link: string }[];
}

const upperCase = (letter: string) => letter.toUpperCase();

/** The last heading of docs/README.md: its pages have a sidebar of their own. */
const CONTRIBUTING = 'Contributing';

/** @returns the headings of docs/README.md with their links to pages, by the start of a route; other pages follow */
export function sidebar(): Record<string, Group[]> {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const groups = [...index.matchAll(/^## (.*)\n((?:(?!## ).*\n?)*)/gm)].map(
    ([, text = '', lines = '']) => ({
      text,
      items: [...lines.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)].map(([, name = '', href = '']) => ({
        text: text === 'Commands' ? name : name.replace(/^[a-z](?=[a-z]* |[a-z]*$)/, upperCase),
        link: linkOf(href, 'docs/README.md'),
      })),
    }),
  );
  const listed = new Set(groups.flatMap(({ items }) => items.map(({ link }) => link)));
  const others = [...PAGES.values()]
    .map((page) => `/${page}`)
    .filter((link) => link !== '/index.md' && !listed.has(link))
    .map((link) => ({ text: posix.basename(link, '.md'), link }));
  const isContributing = ({ link }: { link: string }) => link.startsWith('/decisions/');
  const contributing = groups.filter(({ text }) => text === CONTRIBUTING);
  const decisions = { text: 'Decisions', items: others.filter(isContributing) };
  const more = { text: 'More', items: others.filter((each) => !isContributing(each)) };
  const routes = contributing.flatMap(({ items }) =>
    items.map(({ link }) => link.replace(/\.md$/, '')),
  );
  return {
    ...Object.fromEntries(routes.map((route) => [route, [...contributing, decisions]])),
    '/': [...groups.filter(({ text }) => text !== CONTRIBUTING), more],
  };
}
