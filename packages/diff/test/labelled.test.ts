// Recall and precision on the labelled pairs, with the verdicts of oasdiff as a comparison.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Label, LabelledPair } from '@stubwright/test-support/labelled/pair';
import { LABELLED_PAIRS, labelledSample } from '@stubwright/test-support/labelled/pairs';
import { isTestAll } from '@stubwright/test-support/testAll';
import { changesBetween } from '../src/contract/changes.ts';
import { contractOfText } from './toyContract.ts';

const LABELS: readonly Label[] = ['breaking', 'risky', 'compatible'];
const FOLDER = 'packages/test-support/labelled';

/** oasdiff's verdicts by pair; recorded once. A pair that it cannot read is absent. */
const OASDIFF: { version: string; verdicts: Readonly<Record<string, Label>> } = JSON.parse(
  readFileSync(`${FOLDER}/oasdiff.json`, 'utf8'),
);

function verdictOf({ before, after }: LabelledPair): Label {
  const [first] = changesBetween(contractOfText(before), contractOfText(after));
  const severity = first?.severity ?? 'compatible';
  if (severity === 'converted') throw new Error('expected no converters');
  return severity;
}

/** `make test` compares some of the pairs, `make test-all` compares all. */
const PAIRS = isTestAll ? LABELLED_PAIRS : labelledSample(300);
const VERDICTS = new Map(PAIRS.map((pair) => [pair.name, verdictOf(pair)]));

interface Confusion {
  readonly table: string;
  readonly recall: number;
  readonly precision: number;
}

/** Counts pairs by label and verdict; recall and precision are those of `breaking`. */
function confusionOf(
  title: string,
  pairs: readonly LabelledPair[],
  verdict: (name: string) => Label,
): Confusion {
  const count = (label: Label, given: Label) =>
    pairs.filter((pair) => pair.label === label && verdict(pair.name) === given).length;
  const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0);
  const hits = count('breaking', 'breaking');
  const recall = hits / sum(LABELS.map((given) => count('breaking', given)));
  const precision = hits / sum(LABELS.map((label) => count(label, 'breaking')));
  const row = (cells: readonly unknown[]) =>
    cells.map((each) => String(each).padStart(12)).join('');
  const table = [
    `${title}: ${pairs.length} pairs, recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)} for breaking`,
    row(['label', ...LABELS]),
    ...LABELS.map((label) => row([label, ...LABELS.map((given) => count(label, given))])),
  ].join('\n');
  return { table, recall, precision };
}

describe('the labelled pairs', () => {
  it('have distinct names', () => {
    expect(new Set(LABELLED_PAIRS.map(({ name }) => name)).size).toBe(LABELLED_PAIRS.length);
  });

  it('are classified with recall 0.99 and precision 0.97 for breaking', () => {
    const ours = confusionOf('stubwright', PAIRS, (name) => VERDICTS.get(name)!);
    const known = PAIRS.filter(({ name }) => OASDIFF.verdicts[name] !== undefined);
    const theirs = confusionOf(
      `oasdiff ${OASDIFF.version}`,
      known,
      (name) => OASDIFF.verdicts[name]!,
    );
    process.stdout.write(`${ours.table}\n${theirs.table}\n`);
    expect(ours.recall).toBeGreaterThanOrEqual(0.99);
    expect(ours.precision).toBeGreaterThanOrEqual(0.97);
  });

  it('are breaking exactly if their label is', () => {
    const differing = PAIRS.filter(
      ({ name, label }) => (label === 'breaking') !== (VERDICTS.get(name) === 'breaking'),
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
  });
});

describe('a disagreement with oasdiff', () => {
  it('is listed with a sentence', () => {
    const lines = PAIRS.flatMap(({ name, label, why }) => {
      const [ours, theirs] = [VERDICTS.get(name)!, OASDIFF.verdicts[name]];
      if (theirs === undefined || (ours === 'breaking') === (theirs === 'breaking')) return [];
      return [`| ${name} | ${label} | ${ours} | ${theirs} | ${why} |`];
    });
    const listed = readFileSync(`${FOLDER}/disagreements.md`, 'utf8').split('\n');
    const compared = listed.filter((line) => VERDICTS.has(/^\| (.+?) \| /.exec(line)?.[1] ?? ''));
    expect(compared).toEqual(lines);
  });
});
