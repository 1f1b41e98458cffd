// Checks what a release of the packages needs: `checkRelease.ts [TAG]`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, PACKAGES, project, ROOT } from './manifest.ts';

const [tag] = process.argv.slice(2);
const errors = [...addressErrors(), ...versionErrors(), ...changesetErrors()];
for (const error of errors) process.stderr.write(`${error}\n`);
process.exitCode = errors.length === 0 ? 0 : 1;

/** `OWNER` is the placeholder for the account of the repository. */
function addressErrors(): string[] {
  const { repository, homepage, bugs } = project();
  const addresses = { 'repository.url': repository.url, homepage, 'bugs.url': bugs.url };
  return Object.entries(addresses)
    .filter(([, url]) => !/^(?:git\+)?https:\/\//.test(url) || /\bOWNER\b/.test(url))
    .map(([field, url]) => `package.json: ${field}: got ${url}, expected the URL of the project`);
}

function versionErrors(): string[] {
  const { version } = manifestOf('stubwright');
  return [
    ...PACKAGES.map(manifestOf)
      .filter((each) => each.version !== version)
      .map((each) => `${each.name}: got version ${each.version}, expected ${version}`),
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
