// Handler of {{operation}}.
import { Problem } from "stubwright";
import type { Reply, Request } from "./operation.ts";
import type { Services } from "./services.ts";

/** Responds after the row is durable. The same request again is a success. */
export async function {{name}}(
  { body }: Request<{{operationId}}>,
  { {{table}} }: Services,
): Promise<Reply<{{operationId}}>> {
  const outcome = await {{table}}.add(body);
  if (outcome === "different") {
    throw new Problem(409, `${body.{{key}}} is stored with other content`);
  }
  return { {{reply}} };
}
