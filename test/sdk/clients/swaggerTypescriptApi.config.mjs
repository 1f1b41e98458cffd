// An integer of 64 bits is a bigint, any other a number.
export default {
  hooks: {},
  primitiveTypeConstructs: () => ({
    integer: { $default: () => 'number', int64: () => 'bigint' },
  }),
};
