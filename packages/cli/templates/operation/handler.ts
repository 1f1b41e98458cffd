// Handler of {{operation}}.
export { mocked as {{name}} } from "stubwright";
