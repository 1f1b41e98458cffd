// TypeScript of the process: each test file would parse and compile its 9 MB again.
module.exports = globalThis.processModule('typescript');
