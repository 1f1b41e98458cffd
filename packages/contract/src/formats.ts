// Writes findings for programs: GitHub's annotations, SARIF 2.1.0, JUnit XML.
import { posix } from 'node:path';
import type { Finding } from './document/finding.ts';
import { printableLines } from './printable.ts';

/** The formats that consist of findings only. */
export type FindingFormat = 'github' | 'sarif' | 'junit';

/** The description of a rule, and the page that explains it. */
export interface RuleHelp {
  readonly description: string;
  readonly uri: string;
}

interface FindingFormatOptions {
  /** The name of the command, for reports that group findings. */
  readonly command: string;
  readonly help?: (rule: string) => RuleHelp;
  /** The folder of the files in the repository: GitHub's annotations and SARIF have paths relative to its root. */
  readonly folder?: string | undefined;
}

/**
 * @returns text that ends with a line break, or is empty
 */
export function findingsAs(
  format: FindingFormat,
  findings: readonly Finding[],
  { command, help, folder = '' }: FindingFormatOptions,
): string {
  const inRepository = (finding: Finding): Finding => {
    const { position } = finding;
    if (position === undefined || folder === '') return finding;
    return { ...finding, position: { ...position, file: posix.join(folder, position.file) } };
  };
  const lines = {
    github: () => findings.map((finding) => annotationOf(inRepository(finding))),
    sarif: () => [JSON.stringify(sarifOf(findings.map(inRepository), help), null, 2)],
    junit: () => junitOf(findings, command),
  }[format]();
  return lines.map((line) => `${line}\n`).join('');
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands */
function annotationOf({ level, rule, message, position }: Finding): string {
  const at = position && { file: position.file, line: position.line, col: position.column };
  const properties = Object.entries({ ...at, title: rule }).map(
    ([name, value]) =>
      `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${COMMANDS[level]} ${properties.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  const lines = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return printableLines(lines, { isLineStart: false });
}

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
function sarifOf(findings: readonly Finding[], help?: (rule: string) => RuleHelp): object {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'stubwright', rules: rules.map((id) => ruleObject(id, help?.(id))) },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(({ level, rule, message, position }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level,
          message: { text: message },
          ...(position && {
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: uriOf(position.file) },
                  region: { startLine: position.line, startColumn: position.column },
                },
              },
            ],
          }),
        })),
      },
    ],
  };
}

function ruleObject(id: string, help: RuleHelp | undefined): object {
  if (help === undefined) return { id };
  const { description, uri } = help;
  const link = { text: `See ${uri}`, markdown: `[${id}](${uri})` };
  return { id, shortDescription: { text: description }, helpUri: uri, help: link };
}

function uriOf(file: string): string {
  return file.split(/[/\\]/).map(encodeURIComponent).join('/');
}

/** As Jenkins, GitLab and others read it; each finding is a test case, and an error is a failure. */
function junitOf(findings: readonly Finding[], command: string): string[] {
  const failures = findings.filter(({ level }) => level === 'error').length;
  const cases = findings.length === 0 ? [caseOf(command, command, undefined)] : [];
  for (const { level, rule, message, position } of findings) {
    const at = position === undefined ? '' : `${position.file}:${position.line}:${position.column}`;
    const text = `${at}${at && ': '}${message}`;
    cases.push(
      caseOf(
        `${command}.${rule}`,
        text,
        level === 'error'
          ? `<failure type="${escapeXml(rule)}" message="${escapeXml(message)}">${escapeXml(text)}</failure>`
          : `<system-out>${escapeXml(`${level}: ${text}`)}</system-out>`,
      ),
    );
  }
  const counts = `tests="${cases.length}" failures="${failures}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="stubwright" ${counts}>`,
    `  <testsuite name="stubwright ${command}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ];
}

function caseOf(className: string, name: string, result: string | undefined): string {
  const start = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`;
  return result === undefined ? `${start}/>` : `${start}>${result}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** XML 1.0 has no other control characters. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character]!)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
}
