// The data of the service: its tables, and what handlers do with them.
import {
  areSameRows,
  type DataStore,
  defineTable,
  type StoreSchema,
} from "@stubwright/store";

/** As migrations/ creates it. */
const {{table}} = defineTable("{{table}}", {
  key: "{{key}}",
  columns: { {{columns}} },
});

export const schema = {
  name: "{{schema}}",
  migrations: new URL("../migrations/", import.meta.url),
  tables: [{{table}}],
} satisfies StoreSchema;

export function tablesIn(store: DataStore) {
  return {
    {{table}}: {
      /** Stores a row. The same row again is "same", another one with its key "different". */
      add: store.inserts({
        table: {{table}},
        decide(row, stored) {
          if (stored === undefined) return "added";
          return areSameRows({{table}}, row, stored) ? "same" : "different";
        },
      }),
      find: (key: {{keyType}}) => store.find({{table}}, key),
    },
  };
}
