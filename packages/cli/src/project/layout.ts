// Where the files of a project are, relative to its folder.
export const CONTRACT = 'openapi.yaml';
/** Holds `1.0.0.yaml`, …, and the requests of their clients. */
export const RELEASED = 'test/released';
/** Severities of rules, and accepted changes. */
export const POLICY = 'compatibility.yaml';
