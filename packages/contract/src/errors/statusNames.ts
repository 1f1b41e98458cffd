// Properties of error bodies by conventional name.

/** The names of properties that hold an HTTP status. */
export const STATUS_NAME = /^(?:http_?)?(?:status|code)(?:_?code)?$/i;
