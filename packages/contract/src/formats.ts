// Findings for programs: GitHub's annotations, SARIF 2.1.0, JUnit XML.

export { type FindingFormat, findingsAs, type RuleHelp } from './document/findingFormats.ts';
