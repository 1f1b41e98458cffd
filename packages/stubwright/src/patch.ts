// Patches of resources (RFC 6902, RFC 7396), for handlers.

export { jsonPatch, mergePatch } from '@stubwright/contract/patch';
export { applyPatch } from './patch/applyPatch.ts';
