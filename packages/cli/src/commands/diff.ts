// `stubwright diff`: reports the changes between two contracts. `--check` prints errors only, and fails on
// them; `--fail-on breaking|risky` fails on changes of that severity, by default breaking with `--check`.
// Usage: diff.ts [--check] [--fail-on SEVERITY] [--policy FILE] [BASE [CONTRACT]]
// BASE is a release, a path or a git revision, by default the release that the contract follows.
import { parseArgs } from 'node:util';
import { CONTRACT, contractOf, NOT_RELEASED, RELEASED } from '../check/contracts.ts';
import { changesBetween } from '../diff/changes.ts';
import { applyPolicy, POLICY, policyIn } from '../diff/policy.ts';
import {
  baselineOf,
  type FailOn,
  releaseError,
  releasesIn,
  versionOf,
  versionWarning,
} from '../diff/releases.ts';
import { countsOf, reportOf } from '../diff/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean' },
    'fail-on': { type: 'string' },
    policy: { type: 'string', default: POLICY },
  },
});
const [base, contract = CONTRACT] = positionals;

try {
  const failOn = failOnOf(values['fail-on']);
  const releases = releasesIn(RELEASED);
  if (base === undefined && releases.length === 0) process.stdout.write(NOT_RELEASED);
  else await compare(failOn);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function failOnOf(text: string | undefined): FailOn | undefined {
  if (text === undefined) return values.check ? 'breaking' : undefined;
  if (text === 'breaking' || text === 'risky') return text;
  throw new Error(`--fail-on: got ${text}, expected breaking or risky`);
}

async function compare(failOn: FailOn | undefined): Promise<void> {
  const policy = policyIn(values.policy);
  const after = await contractOf(contract);
  const releases = releasesIn(RELEASED);
  const release =
    base === undefined
      ? baselineOf(releases, versionOf(after.definition))
      : releases.find((each) => each.version === base || each.path === base);
  const before = await contractOf(release?.path ?? base!);
  const all = changesBetween(before, after);
  const { changes, ignored, warnings } = applyPolicy(all, policy);
  const locations = { before: before.locations, after: after.locations };
  if (release !== undefined) {
    warnings.push(...versionWarning(changes, before.definition, after.definition));
  }
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  if (!values.check) {
    if (changes.length > 0) process.stdout.write(`${reportOf(changes, locations)}\n\n`);
    const note = ignored === 0 ? '' : `, ${ignored} ignored by ${values.policy}`;
    process.stdout.write(`${after.name} since ${before.name}: ${countsOf(changes)}${note}\n`);
  }
  const error = failOn && releaseError(changes, before.definition, after.definition, failOn);
  if (error === undefined) return;
  const severe = changes.filter(({ severity }) => severity === 'breaking' || severity === failOn);
  if (values.check) process.stderr.write(`${reportOf(severe, locations)}\n\n`);
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
