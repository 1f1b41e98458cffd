// A jest transformer that strips types as Node does: a tenth of the time of ts-jest.
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source: string) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
};
