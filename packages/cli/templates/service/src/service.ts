// Composes the service: handlers, verifiers, services.
import type { ServiceOptions } from "@stubwright/service";
import { handlers } from "./handlers/index.ts";
import type { Services } from "./handlers/services.ts";

export const service = {
  handlers,
  verifiers: {{verifiers}},
  async open() {
    return { services: {} };
  },
} satisfies ServiceOptions<Services>;
