// Generated from openapi.yaml; edit that.
export interface paths {
    "/plants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a plant
         * @description Stores a plant and returns it. The response is sent after the plant is on disk.
         *
         *     `id` identifies the plant. The same plant again is a retry: it gets the same response, and
         *     nothing is stored twice. Other content under a used `id` gets 409, and the stored plant
         *     does not change.
         */
        post: operations["createPlant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A plant without its id. */
        Plant: {
            /**
             * @description The name of the plant. Any text without U+0000.
             * @example Monstera deliciosa
             */
            name: string;
            /**
             * @description Tag that specifies the type. Any text without U+0000.
             * @example tropical
             */
            tag?: string;
        };
        /** @description A plant to store, with the number that identifies it. */
        NewPlant: components["schemas"]["Plant"] & {
            /**
             * Format: int64
             * @description The id of the plant, exact to the last digit.
             * @example 1
             */
            id: bigint;
        };
        /**
         * @description What went wrong. `error` is the HTTP status times 100 plus a serial
         *     number; a number never changes its meaning.
         *
         *     | error | meaning |
         *     |---|---|
         *     | 40000 | the request violates the contract; `message` names every failing property |
         *     | 40001 | the body is not JSON in UTF-8 |
         *     | 40002 | the body is missing |
         *     | 40003 | the request is not valid HTTP |
         *     | 40004 | the body does not conform to its media type |
         *     | 40005 | the cursor of a page is not valid |
         *     | 40100 | the bearer token is missing |
         *     | 40101 | the bearer token is invalid or expired |
         *     | 40300 | the bearer token has insufficient scope |
         *     | 40400 | the path does not exist |
         *     | 40401 | no resource has this id |
         *     | 40402 | the contract does not declare the mocked response that Prefer selects |
         *     | 40500 | the path does not support this method |
         *     | 40600 | the contract declares no media type that Accept allows |
         *     | 40800 | the request was not received in time |
         *     | 40900 | the id exists with different content, which is unchanged |
         *     | 40901 | a request with the same idempotency key is in progress |
         *     | 40902 | a test of the patch is false; nothing was changed |
         *     | 41000 | a deprecated part of the contract is no longer served |
         *     | 41200 | the document has changed |
         *     | 41201 | a condition of the request is false; nothing was changed |
         *     | 41300 | the body is too large |
         *     | 41400 | the request target is too long |
         *     | 41500 | the media type of the body is not supported |
         *     | 41501 | the content encoding of the body is not supported |
         *     | 41700 | the expectation cannot be met |
         *     | 42200 | the idempotency key belongs to another request |
         *     | 42201 | the patch cannot be applied to the resource; nothing was changed |
         *     | 42202 | the patched resource would violate the contract; nothing was changed |
         *     | 42800 | a condition such as If-Match is missing |
         *     | 42900 | the caller has sent too many requests |
         *     | 43100 | the request headers are too large |
         *     | 50000 | an internal error; the cause is in the service's log |
         *     | 50100 | the method or the transfer coding is not implemented |
         *     | 50300 | the service is temporarily unavailable; nothing was acknowledged, try again |
         *     | 50500 | the HTTP version is not supported |
         */
        Error: {
            /**
             * Format: int32
             * @description Numeric error value, from the table above.
             * @example 40000
             */
            error: number;
            /**
             * @description Text describing the error.
             * @example /id expected an int64 integer
             */
            message: string;
        };
    };
    responses: {
        /** @description The request is not HTTP, not JSON, or violates this contract. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The bearer token is missing, wrong or has expired. */
        Unauthorized: {
            headers: {
                /**
                 * @description How to authenticate (RFC 6750, section 3).
                 * @example Bearer realm="plants"
                 */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Another plant has the id. It does not change. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body exceeds the limit. The connection closes. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json` in UTF-8, or it is compressed. */
        UnsupportedMediaType: {
            headers: {
                /**
                 * @description The accepted media type, if the body had another (RFC 9110, section 15.5.16).
                 * @example application/json
                 */
                Accept?: string;
                /**
                 * @description The accepted content coding, if the body had another.
                 * @example identity
                 */
                "Accept-Encoding"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller has sent more requests than its rate limit allows. */
        TooManyRequests: {
            headers: {
                /**
                 * @description Seconds to wait before the request is sent again.
                 * @example 1
                 */
                "Retry-After": number;
                /**
                 * @description The remaining quota (draft-ietf-httpapi-ratelimit-headers): `r` requests in the next `t`
                 *     seconds.
                 * @example "caller";r=0;t=1
                 */
                RateLimit: string;
                /**
                 * @description The limit in the same syntax, `q` requests in `w` seconds.
                 * @example "caller";q=100;w=1
                 */
                "RateLimit-Policy": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An internal error. The cause is in the service's log. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The store cannot be reached, the credentials cannot be checked now, or more requests are
         *     waiting than can be served in time. Nothing was acknowledged.
         */
        ServiceUnavailable: {
            headers: {
                /**
                 * @description Seconds to wait before the request is sent again.
                 * @example 1
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description How to authenticate (RFC 6750, section 3).
         * @example Bearer realm="plants"
         */
        Authenticate: string;
        /**
         * @description Seconds to wait before the request is sent again.
         * @example 1
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPlant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The plant to store. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlant"];
            };
        };
        responses: {
            /** @description The plant is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
        security: [
            "bearerAuth"
        ];
    };
}
