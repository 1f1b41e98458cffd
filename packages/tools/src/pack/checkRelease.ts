// Checks what a release of the packages needs: `checkRelease.ts [TAG]`. `checkRelease.ts --write` writes the owner of
// the repository in package.json into the addresses of pages, workflows and templates.
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { manifestOf, PACKAGES, project, ROOT } from './manifest.ts';

/** The owner in `github.com/OWNER/stubwright` and the other addresses of the project. */
const OWNER_IN_ADDRESS =
  /(?<=(?:github\.com|ghcr\.io)\/|uses: )[\w-]+(?=\/stubwright\b)|(?<=https:\/\/)[\w-]+(?=\.github\.io\/stubwright\b)/g;
const PLACEHOLDER = 'OWNER';

const isWriting = process.argv[2] === '--write';
const tag = isWriting ? undefined : process.argv[2];
const [, owner = PLACEHOLDER] =
  /^git\+https:\/\/github\.com\/([\w-]+)\/\w+\.git$/.exec(project().repository.url) ?? [];
if (isWriting) writeOwner();
const errors = isWriting ? [] : [...addressErrors(), ...versionErrors(), ...changesetErrors()];
for (const error of errors) process.stderr.write(`${error}\n`);
process.exitCode = errors.length === 0 ? 0 : 1;

function addressErrors(): string[] {
  const { url } = project().repository;
  if (owner === PLACEHOLDER) {
    const expected = 'expected git+https://github.com/ACCOUNT/stubwright.git, as its URL is';
    return [`package.json: repository.url: got ${url}, ${expected}`];
  }
  return pages().flatMap((file) =>
    [...new Set(readFileSync(join(ROOT, file), 'utf8').match(OWNER_IN_ADDRESS))]
      .filter((text) => text !== owner)
      .map((text) => `${file}: got the owner ${text}, expected ${owner}: make addresses writes it`),
  );
}

function writeOwner(): void {
  for (const file of pages()) {
    const path = join(ROOT, file);
    const text = readFileSync(path, 'utf8');
    const written = text.replace(OWNER_IN_ADDRESS, owner);
    if (written !== text) writeFileSync(path, written);
  }
}

/** Changelogs are history. */
function pages(): string[] {
  const patterns = ['*.md', 'action.yml', '.github/**/*.yml', 'docs/**/*.{md,html,ts,tsx,yml}'];
  return globSync(
    [...patterns, 'packages/*/README.md', 'packages/*/templates/**/*', 'packages/*/package.json'],
    {
      cwd: ROOT,
      withFileTypes: true,
      exclude: (entry) => entry.name === 'node_modules' || entry.name === 'CHANGELOG.md',
    },
  )
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

function versionErrors(): string[] {
  const { version } = manifestOf('stubwright');
  return [
    ...PACKAGES.map(manifestOf)
      .filter((manifest) => manifest.version !== version)
      .map((manifest) => `${manifest.name}: got version ${manifest.version}, expected ${version}`),
    ...PACKAGES.map((name) => `packages/${name}/CHANGELOG.md`)
      .filter((file) => !readFileSync(join(ROOT, file), 'utf8').includes(`\n## ${version}\n`))
      .map((file) => `${file}: expected a section ${version}`),
    ...(tag === undefined || tag === `v${version}`
      ? []
      : [`tag: got ${tag}, expected v${version}, the version of the packages`]),
  ];
}

function changesetErrors(): string[] {
  return readdirSync(join(ROOT, '.changeset'))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => `.changeset/${file}: expected make version to apply it before a release`);
}
