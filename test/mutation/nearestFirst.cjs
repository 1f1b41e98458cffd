// A jest sequencer: the order of MUTATION_TESTS, so that the tests likeliest to fail run first.
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class extends Sequencer {
  sort(tests) {
    const order = process.env.MUTATION_TESTS.split('\n');
    return [...tests].sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  }
};
