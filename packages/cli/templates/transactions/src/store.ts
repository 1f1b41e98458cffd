// The data of the service. Tables are in migrations/.
import type { StoreSchema } from "@stubwright/store";

export const schema = {
  name: "{{schema}}",
  migrations: new URL("../migrations/", import.meta.url),
  tables: [],
} satisfies StoreSchema;
