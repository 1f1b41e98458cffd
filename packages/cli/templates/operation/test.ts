// {{operation}}
import { it } from "{{runner}}";
import { client, expectAccepted{{imported}} } from "../support/client.ts";

it({{title}}, async () => {
  const request = {{example}};
  expectAccepted(await client.fetch(request));
});
