// Numbers of things, in the singular for one.

/** @returns such as `1 error`, `2 errors` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
