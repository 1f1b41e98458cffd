// The secrets that sign the cursors of pages: CURSOR_SECRET, or a random one in development.
import { randomBytes } from 'node:crypto';
import { type Contract, type Operation, pageRulesOf } from '@stubwright/contract';
import { isLoopback, type Settings } from './settings.ts';

type CursorSettings = Pick<Settings, 'cursorSecrets' | 'host' | 'isProduction'>;

let generated: readonly string[] | undefined;

/**
 * @returns the configured secrets; without any, one of this process in development on a loopback host, and
 *   undefined otherwise: other processes would reject its cursors
 */
export function cursorSecretsOf(settings: CursorSettings): readonly string[] | undefined {
  if (settings.cursorSecrets?.length) return settings.cursorSecrets;
  if (settings.isProduction || !isLoopback(settings.host)) return undefined;
  generated ??= [randomBytes(32).toString('base64url')];
  return generated;
}

/** @returns a warning for handlers that may send cursors without CURSOR_SECRET */
export function cursorWarning(
  { operations }: Contract,
  settings: CursorSettings,
  isMocked: (operation: Operation) => boolean,
): string | undefined {
  if (settings.cursorSecrets?.length) return undefined;
  const signing = operations.filter((each) => !isMocked(each) && hasCursors(each));
  if (signing.length === 0) return undefined;
  const effect =
    cursorSecretsOf(settings) === undefined
      ? 'page() fails'
      : 'other processes, and this one after a restart, reject the cursors of page()';
  const ids = signing.map(({ operationId }) => operationId).join(', ');
  return `CURSOR_SECRET is not set: ${effect} (${ids})`;
}

function hasCursors(operation: Operation): boolean {
  const { kind, parameter } = pageRulesOf(operation)?.pagination ?? {};
  return (kind === 'cursor' || kind === 'link') && parameter !== undefined;
}
