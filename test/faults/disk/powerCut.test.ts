import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/service.ts';
import { Disk, type Kept, readRecords } from './powerCut.ts';
import { canPreload, Shim } from './shim.ts';

let folder: ReturnType<typeof temporaryFolder>;
let shim: Shim;

beforeEach(() => {
  folder = temporaryFolder();
  if (canPreload) shim = new Shim(folder.path);
});
afterEach(() => folder.remove());

/** Runs statements in a process on the recorded disk; `fs` and `root` are defined. */
function run(statements: string, environment = {}): void {
  const script = `
    const fs = require('node:fs');
    const root = ${JSON.stringify(shim.root)};
    const tryTo = (act) => { try { act(); } catch {} };
    ${statements}`;
  execFileSync(process.execPath, ['--eval', script], {
    env: { ...shim.environment(), ...environment },
  });
}

let cuts = 0;

/** @returns the file's content after a power cut; undefined when it is not there */
function afterCut(kept: Kept = 'none', name = 'file'): string | undefined {
  const target = `${folder.path}/after${cuts++}`;
  new Disk(shim.root, shim.logs).writeAfterCut(target, kept);
  const file = `${target}/${name}`;
  return existsSync(file) ? readFileSync(file, 'latin1') : undefined;
}

const CREATE = "const file = fs.openSync(root + '/file', 'w+');";
const SYNC_NAME = "const dir = fs.openSync(root, 'r'); fs.fsyncSync(dir);";

(canPreload ? describe : describe.skip)('a disk after a power cut', () => {
  it('has synced data and names', () => {
    run(`${CREATE} fs.writeSync(file, 'synced', 0); fs.fsyncSync(file); ${SYNC_NAME}`);
    expect(afterCut()).toBe('synced');
  });

  it('has no file whose directory was not synced', () => {
    run(`${CREATE} fs.writeSync(file, 'synced', 0); fs.fsyncSync(file);`);
    expect(afterCut()).toBeUndefined();
  });

  it('has no data written after the last sync', () => {
    run(`${CREATE} fs.writeSync(file, 'one', 0); fs.fdatasyncSync(file); ${SYNC_NAME}
      fs.writeSync(file, 'two', 0); fs.writeSync(file, 'more', 3);`);
    expect(afterCut()).toBe('one');
  });

  it('has data that a later process synced', () => {
    run(`${CREATE} fs.writeSync(file, 'one', 0); ${SYNC_NAME}`);
    expect(afterCut()).toBe('');
    run(`const file = fs.openSync(root + '/file', 'r+'); fs.fsyncSync(file);`);
    expect(afterCut()).toBe('one');
  });

  it('has no data of a failed sync, even after a successful one, unless it is written again', () => {
    shim.fail('fsync EIO', 1);
    run(`${CREATE} ${SYNC_NAME.replace('fs.fsyncSync(dir);', '')}
      fs.writeSync(file, 'lost', 0); tryTo(() => fs.fsyncSync(file));
      fs.fsyncSync(file); fs.fsyncSync(dir);`);
    expect(afterCut()).toBe('\0\0\0\0');
    run(
      `const file = fs.openSync(root + '/file', 'r+'); fs.writeSync(file, 'kept', 0); fs.fsyncSync(file);`,
    );
    expect(afterCut()).toBe('kept');
  });

  it('has no data written during a sync', () => {
    run(
      `${CREATE} ${SYNC_NAME} fs.writeSync(file, 'one', 0); fs.fdatasync(file, () => {});
      setTimeout(() => fs.writeSync(file, 'two', 1), 50);`,
      { DISK_SYNC_US: '200000' },
    );
    expect([...readRecords(shim.logs[0]!)].map(({ op }) => op).join('')).toMatch(/WBWS$/);
    expect(afterCut()).toBe('one');
  });

  it('has no notes of the program', () => {
    run(`${CREATE} ${SYNC_NAME} fs.writeSync(file, 'note'); fs.fsyncSync(file);`);
    const notes = [...readRecords(shim.logs[0]!)].filter(({ op }) => op === 'N');
    expect([notes.map(({ data }) => String(data)), afterCut()]).toEqual([['note'], '']);
  });

  it('has pages of a failed sync at random, if asked for', () => {
    shim.fail('fsync EIO', 1);
    run(`${CREATE} ${SYNC_NAME.replace('fs.fsyncSync(dir);', '')} fs.writeSync(file, 'x'.repeat(40 * 4096), 0);
      tryTo(() => fs.fsyncSync(file)); fs.fsyncSync(dir); fs.fsyncSync(file);`);
    const target = `${folder.path}/after${cuts++}`;
    new Disk(shim.root, shim.logs, { random: Math.random }).writeAfterCut(target, 'none');
    const written = readFileSync(`${target}/file`, 'latin1').replaceAll('\0', '').length;
    expect(written % 4096).toBe(0);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(40 * 4096);
  });

  it('has the name before a rename that was not synced', () => {
    run(`${CREATE} ${SYNC_NAME} fs.renameSync(root + '/file', root + '/other');`);
    expect([afterCut('none', 'file'), afterCut('none', 'other')]).toEqual(['', undefined]);
  });

  it('has a file again whose removal was not synced', () => {
    run(`${CREATE} ${SYNC_NAME} fs.unlinkSync(root + '/file');`);
    expect(afterCut()).toBe('');
  });

  it('has its old bytes after a truncation that was not synced', () => {
    run(`${CREATE} fs.writeSync(file, 'whole', 0); fs.fsyncSync(file); ${SYNC_NAME}
      fs.ftruncateSync(file, 2);`);
    expect(afterCut()).toBe('whole');
    run(`fs.fsyncSync(fs.openSync(root + '/file', 'r+'));`);
    expect(afterCut()).toBe('wh');
  });

  it('may keep each unsynced page, whole or up to a sector', () => {
    run(`${CREATE} ${SYNC_NAME} fs.writeSync(file, 'x'.repeat(40 * 4096), 0);`);
    const written = (text = '') => text.replaceAll('\0', '').length;
    const [some, torn] = [written(afterCut('some')), written(afterCut('torn'))];
    expect([some % 4096, torn % 512]).toEqual([0, 0]);
    for (const bytes of [some, torn]) {
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(40 * 4096);
    }
  });
});

(canPreload ? describe : describe.skip)('a failing call', () => {
  it.each([
    ['write EIO', 'EIO'],
    ['write ENOSPC', 'ENOSPC'],
  ] as const)('%s fails as often as asked', (call, code) => {
    shim.fail(call, 1);
    run(`${CREATE} ${SYNC_NAME}
      let code; try { fs.writeSync(file, 'one', 0); } catch (error) { code = error.code; }
      fs.writeSync(file, code, 0); fs.fsyncSync(file);`);
    expect(afterCut()).toBe(code);
  });

  it('fsync pattern fails the calls whose bits are set', () => {
    shim.fail('fsync pattern', 0b101);
    run(`${CREATE} for (let call = 0; call < 4; call++) tryTo(() => fs.fsyncSync(file));`);
    const syncs = [...readRecords(shim.logs[0]!)]
      .map(({ op }) => op)
      .filter((op) => 'SF'.includes(op));
    expect(syncs).toEqual(['F', 'S', 'F', 'S']);
  });

  it('SIGKILL after ends the process after so many records', () => {
    shim.fail('SIGKILL after', 3);
    expect(() => run(`${CREATE} for (;;) fs.writeSync(file, 'x', 0);`)).toThrow();
    expect([...readRecords(shim.logs[0]!)].map(({ op }) => op)).toEqual(['O', 'W', 'W']);
  });

  it('short write writes a half, and libuv the rest', () => {
    shim.fail('short write', 1);
    run(`${CREATE} ${SYNC_NAME} fs.writeSync(file, 'abcdef', 0); fs.fsyncSync(file);`);
    const written = [...readRecords(shim.logs[0]!)].filter(({ op }) => op === 'W');
    expect(written.map(({ data }) => String(data))).toEqual(['abc', 'def']);
  });
});
