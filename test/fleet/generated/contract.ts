// Generated from openapi.yaml; edit that.
export interface paths {
    "/vehicles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addVehicle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vehicles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get: operations["getVehicle"];
        put: operations["moveVehicle"];
        post?: never;
        delete: operations["removeVehicle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["transferLoad"];
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
        /** Format: int64 */
        Id: bigint;
        Text: string;
    };
    responses: {
        /** @description The vehicle. */
        Vehicle: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    id: components["schemas"]["Id"];
                    plate: components["schemas"]["Text"];
                    place: components["schemas"]["Text"];
                    /** Format: int64 */
                    version: bigint;
                    /** Format: int64 */
                    load: bigint;
                };
            };
        };
        /** @description An error. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": unknown;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    addVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["Id"];
                    plate: components["schemas"]["Text"];
                    place: components["schemas"]["Text"];
                };
            };
        };
        responses: {
            200: components["responses"]["Vehicle"];
            default: components["responses"]["Problem"];
        };
        security: [
            "bearerAuth"
        ];
    };
    getVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Vehicle"];
            default: components["responses"]["Problem"];
        };
        security: [
            "bearerAuth"
        ];
    };
    moveVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: int64 */
                    version: bigint;
                    place: components["schemas"]["Text"];
                };
            };
        };
        responses: {
            /** @description It is at this place in the next version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
        security: [
            "bearerAuth"
        ];
    };
    removeVehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is not there any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
        security: [
            "bearerAuth"
        ];
    };
    transferLoad: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["Id"];
                    source: components["schemas"]["Id"];
                    target: components["schemas"]["Id"];
                    /** Format: int64 */
                    amount: bigint;
                };
            };
        };
        responses: {
            /** @description The load has moved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
        security: [
            "bearerAuth"
        ];
    };
}
