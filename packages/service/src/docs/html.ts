// Text of a contract in HTML.

import type { Contract } from '@stubwright/contract';

/** @returns the title of the contract, not escaped */
export function documentTitle({ document }: Contract): string {
  return String(document.info?.title ?? 'API');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
