// Compiles each module once per worker. A test file has a context of its own, in which jest evaluates up to
// 700 modules again; V8 keeps what it compiled for the modules of a process, but not for those of `vm`.
// A tenth of the time of `make test`.

/** Shorter texts compile as fast as a cache is read. */
const MIN_LENGTH = 2000;

/** Replaces what jest compiles modules with. */
export function compileModulesOnce(vm) {
  const { compileFunction, SourceTextModule } = vm;
  const functions = new Map();
  vm.compileFunction = (code, parameters, options) => {
    const { filename } = options;
    if (filename === undefined || code.length < MIN_LENGTH) {
      return compileFunction(code, parameters, options);
    }
    const cachedData = cachedFor(functions, filename, code);
    if (cachedData !== undefined)
      return compileFunction(code, parameters, { ...options, cachedData });
    const compiled = compileFunction(code, parameters, { ...options, produceCachedData: true });
    functions.set(filename, { code, cachedData: compiled.cachedData });
    return compiled;
  };
  const modules = new Map();
  vm.SourceTextModule = function Compiled(code, options) {
    const cachedData = cachedFor(modules, options.identifier, code);
    if (code.length < MIN_LENGTH) return new SourceTextModule(code, options);
    try {
      if (cachedData !== undefined) return new SourceTextModule(code, { ...options, cachedData });
    } catch (error) {
      // V8 refuses a cache made with other flags, which a test may set.
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    }
    const module = new SourceTextModule(code, options);
    // Evaluated modules refuse.
    modules.set(options.identifier, { code, cachedData: module.createCachedData() });
    return module;
  };
  vm.SourceTextModule.prototype = SourceTextModule.prototype;
}

/** V8 compares only the length of a text with that of its cache. */
function cachedFor(cache, name, code) {
  const entry = cache.get(name);
  return entry?.code === code ? entry.cachedData : undefined;
}
