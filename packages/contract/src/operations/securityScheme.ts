// The security schemes of a contract.
import { ContractObject } from './contractObject.ts';

/** An OAuth Flow Object. */
export interface OAuthFlow {
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  /** Descriptions by scope. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** A Security Scheme Object. */
export class SecurityScheme extends ContractObject {
  /** `apiKey`, `http`, `oauth2`, `openIdConnect`, `mutualTLS`, or what the contract has. */
  get type(): string {
    return String(this.node['type']);
  }

  /** The HTTP authentication scheme in lower case; `''` for other types. */
  get scheme(): string {
    return this.schemeName.toLowerCase();
  }

  /** The HTTP authentication scheme as the contract has it. */
  get schemeName(): string {
    return String(this.node['scheme'] ?? '');
  }

  /** The scopes that the flows of OAuth2 declare. */
  get scopes(): string[] {
    const flows: object[] = Object.values(this.node['flows'] ?? {});
    return flows.flatMap((flow) => ('scopes' in flow ? Object.keys(Object(flow.scopes)) : []));
  }

  /** Of OAuth2, by name such as `clientCredentials`; empty for other types. */
  get flows(): Readonly<Record<string, OAuthFlow>> {
    return this.node['flows'] ?? {};
  }

  /** Of OpenID Connect: the URL of its metadata. */
  get openIdConnectUrl(): string | undefined {
    return this.node['openIdConnectUrl'];
  }

  /** Of an API key: `query`, `header` or `cookie`. */
  get in(): 'query' | 'header' | 'cookie' | undefined {
    return this.node['in'];
  }

  /** Of an API key: the name of the header, query parameter or cookie. */
  get name(): string {
    return String(this.node['name']);
  }

  /** The request header with the credentials; undefined for those in the query or of TLS. */
  get header(): string | undefined {
    if (this.type === 'mutualTLS') return undefined;
    if (this.type !== 'apiKey') return 'Authorization';
    return this.in === 'cookie' ? 'Cookie' : this.in === 'header' ? this.name : undefined;
  }
}
