// A request listener for Node's HTTP server, and for frameworks with `(req, res, next)`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendResponse } from './adapters/send.ts';
import { type Api, internals } from './pipeline/api.ts';
import { NodeBody } from './request/body/nodeBody.ts';
import { Exchange, headOf } from './request/exchange.ts';

export { framingError, headerError, originOf, sendResponse } from './adapters/send.ts';

/** @param next called for a request that matches no operation; without it, such a request gets 404 or 405 */
export type NodeListener = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

/**
 * Returns a request listener. As middleware of Express it must stand before `express.json()`.
 *
 * @example createServer(requestListener(api)).listen(3000);
 */
export function requestListener(api: Api<IncomingMessage>): NodeListener {
  const { bodies, match, handle, report } = api[internals];
  return (req, res, next) => {
    const body = new NodeBody(req, res, bodies);
    const exchange = new Exchange<IncomingMessage>(headOf(req), body, req);
    if (next !== undefined && match(exchange) !== 'operation') {
      next();
      return;
    }
    void handle(exchange)
      .then((response) => {
        body.release();
        sendResponse(req, res, response, false, report);
      })
      .catch((error) => {
        // Other middleware has sent a response.
        report(error);
        res.destroy();
      });
  };
}
