// The services that are passed to the handlers.
import type { tablesIn } from "../store.ts";

export type Services = ReturnType<typeof tablesIn>;
