// The contract and the documentation page of the version that a request names.

import { onceFor } from '@stubwright/contract';
import type { OpenedVersion, Versions } from '@stubwright/versions';
import { type EngineResponse, type HttpRequest, originForm } from 'stubwright/internals';
import { Docs } from './docs.ts';

type Responding = Pick<Docs, 'respond'>;

/** @param baseUrl the public URL of the service; undefined if BASE_URL is not set */
export function versionedDocs(
  current: Responding,
  versions: Versions,
  baseUrl: URL | undefined,
): Responding {
  const docsOf = onceFor((version: OpenedVersion) => new Docs(optionsOf(version, baseUrl)));
  return {
    async respond(request: HttpRequest): Promise<EngineResponse | undefined> {
      const [path = ''] = originForm(request.url).split('?');
      const version = await versions.selected({ headers: request.headers, path });
      const docs = version === undefined ? current : docsOf(version);
      const response = await docs.respond(request);
      return response && versions.engine.varying(response);
    },
  };
}

function optionsOf({ contract, basePath, engine }: OpenedVersion, baseUrl: URL | undefined) {
  const { definition, publish } = contract;
  const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
  const serverUrl = baseUrl === undefined ? basePath : new URL(prefix || '/', baseUrl).href;
  return { definition, publish, prefix, serverUrl, reject: engine.reject };
}
