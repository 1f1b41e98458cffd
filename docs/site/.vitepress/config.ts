// The site of the Markdown in docs/ and of the README files: `make site`.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf, linkOf, PAGES, REPOSITORY, ROOT, sidebar } from './pages.ts';

/** A token of markdown-it. */
interface Token {
  readonly type: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

const fileOf = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

const BASE = process.env['SITE_BASE'] ?? '/';
const HOME = {
  layout: 'home',
  hero: {
    name: 'stubwright',
    text: 'Your contract, running',
    tagline:
      'Turns an OpenAPI contract into a typed HTTP service, and keeps contract, service and clients consistent while the contract evolves.',
    actions: [
      { text: 'Getting started', link: '/stubwright/getting-started' },
      { theme: 'alt', text: 'Coming from another tool', link: '#coming-from' },
    ],
  },
};

export default defineConfig({
  title: 'stubwright',
  description: 'Turns an OpenAPI contract into a running, typed HTTP service',
  base: BASE,
  srcDir: ROOT,
  outDir: `${ROOT}/build/site`,
  srcExclude: [
    '{.*,build,data,generated,src,test}/**',
    'packages/*/{api,src,templates,test}/**',
    'packages/test-support/**',
    'docs/site/**',
    '**/{CHANGELOG,SECURITY}.md',
  ],
  rewrites: (file) => PAGES.get(file) ?? file,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}favicon.svg` }]],
  // docs/README.md has no front matter: GitHub shows it.
  transformPageData(page) {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, HOME);
  },
  // The pages are not in the folder of these packages.
  vite: {
    publicDir: `${ROOT}/docs/site/public`,
    resolve: {
      alias: [
        { find: 'vue/server-renderer', replacement: fileOf('vue/server-renderer') },
        { find: /^vue$/, replacement: fileOf('vue/dist/vue.runtime.esm-bundler.js') },
      ],
    },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    config(md) {
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (tokens, at, ...others) => {
        const { info, content } = tokens[at]!;
        if (info.trim() !== 'mermaid') return fence!(tokens, at, ...others);
        return `<Diagram source="${encodeURIComponent(content)}" />`;
      };
      md.core.ruler.push('links-of-files', ({ tokens, env }) => {
        const file = relative(ROOT, env.realPath ?? env.path);
        for (const token of tokens as Token[]) {
          // A wide table scrolls: the keyboard must reach it.
          if (token.type === 'table_open') token.attrSet('tabindex', '0');
          for (const each of token.children ?? []) {
            const href = each.type === 'link_open' ? each.attrGet('href') : null;
            if (href !== null) each.attrSet('href', linkOf(href, file));
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/stubwright/getting-started' },
      { text: 'Commands', link: '/stubwright/cli' },
      { text: 'Reference', link: '/stubwright/api' },
      { text: 'Contributing', link: '/contributing' },
    ],
    sidebar: sidebar(),
    logo: '/favicon.svg',
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'Repository' }],
  },
});
