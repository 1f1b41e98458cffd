// The examples of a generated README as a module.

/** @returns a module that creates the client, and has each call of an operation in a block */
export function readmeSource(readme: string): string {
  const [creation = '', ...calls] = [...readme.matchAll(/^(`{3,})ts\n(.*?)\n\1$/gms)].map(
    ([, , code]) => `${code!}\n`,
  );
  const blocks = calls.map((call) => `{\n${call}replies.push(reply);\n}\n`);
  const declared = 'export const replies: { operationId: string; status: number }[] = [];\n';
  const own = creation.replace(/from '[^']+'/, "from './index.js'");
  return `${own}void unwrap;\n${declared}${blocks.join('')}`;
}
