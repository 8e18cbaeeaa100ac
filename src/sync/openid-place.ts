/** A provider of OpenID Connect as it is asked. What asks it uses two large libraries; a server loads them when somebody begins. */

/** A provider where people sign in, and the garden's own client there. */
export interface OpenIdPlace {
  name: string;
  issuer: string;
  client: { id: string; secret: string };
  /** The address to which the provider sends the browser back. */
  returnTo: string;
  /** An administrator who adds the provider tries it first: a set-up. */
  purpose: 'sign-in' | 'join' | 'proof' | 'set-up';
  /** Judges sign with the client's secret, have one address for everything, and may leave the nonce out. */
  isJudge: boolean;
  /** The claims that are needed beside `sub`. */
  claims: readonly string[];
  /** Origins that may be private or without TLS: the operator says so, and nobody else. */
  inside: ReadonlySet<string>;
}
