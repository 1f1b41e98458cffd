// Every run tests the same generated values: a failure can be repeated. SEED=random explores others.
import fc from 'fast-check';

const { SEED = '20261122' } = process.env;

if (SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(SEED) });
