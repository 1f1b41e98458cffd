// Patches of JSON values (RFC 6902, RFC 7396). Loaded by those who apply patches.

export { jsonPatch } from './patch/jsonPatch.ts';
export { copyOfJson, mergePatch, PatchWork } from './patch/patchWork.ts';
