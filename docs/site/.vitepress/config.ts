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

export default defineConfig({
  title: 'stubwright',
  description: 'Turns an OpenAPI contract into a running, typed HTTP service',
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: ROOT,
  outDir: `${ROOT}/build/site`,
  srcExclude: [
    '{.*,build,data,generated,src,test}/**',
    'packages/*/{api,src,templates,test}/**',
    'docs/site/**',
    '**/{CHANGELOG,SECURITY}.md',
  ],
  rewrites: (file) => PAGES.get(file) ?? file,
  // The pages are not in the folder of these packages.
  vite: {
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
      { text: 'Guide', link: '/' },
      { text: 'Reference', link: '/stubwright/reference' },
      { text: 'Commands', link: '/stubwright/cli' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'Repository' }],
  },
});
