// A jest transformer that strips types: every character keeps its offset, so coverage names locations of sources.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
  getCacheKey: (source, path) => createHash('sha256').update(path).update(source).digest('hex'),
};
