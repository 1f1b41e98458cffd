// The language server of OpenAPI contracts: `stubwright lsp`.
export { type LanguageServerOptions, runServer } from './server.ts';
