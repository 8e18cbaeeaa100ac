/** The tables of signing in by OpenID Connect: providers, the accounts of members there, and browsers on their way. */

/** Where people sign in elsewhere, with the garden's own client there. */
export interface OpenIdProvidersTable {
  /** Its name in addresses; a judge's provider has the judge's. */
  key: string;
  /** Its name on buttons. */
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Whom it lets in: `domain` and `claim` look at a claim, `joined` at members who joined their account themselves. */
  admits: 'nobody' | 'everyone' | 'domain' | 'claim' | 'joined';
  claim: string;
  wanted: string;
  /** Whether somebody without an account here becomes a member, named by the claim `name_claim`. */
  makes_members: bigint;
  name_claim: string;
  changed_at: string;
}

/** That somebody at a provider is this member. */
export interface OpenIdAccountsTable {
  provider: string;
  /** The provider's own id of the person, which alone says who it is (OpenID Connect Core §5.7). */
  subject: string;
  user_id: bigint;
  /** What the provider called the account when it was used last, for its member to know it by. */
  label: string | null;
  joined_at: string;
  used_at: string;
}

/** A browser that went to sign in at a provider. */
export interface OpenIdVisitsTable {
  /** SHA-256 of what only this browser has. */
  browser: string;
  /** The member who was signed in there; null for nobody. */
  user_id: bigint | null;
  provider: string;
  purpose: 'sign-in' | 'join' | 'proof';
  state: string;
  nonce: string;
  /** The secret of this visit, whose digest the provider got (RFC 7636 §4.1). */
  verifier: string;
  /** The path to open after signing in. */
  goes_to: string;
  /** The invitation with which somebody without an account becomes a member. */
  invitation_id: bigint | null;
  /** Whether `goes_to` is the address of a group, which the person joins on coming back. */
  joins_group: bigint;
  begun_at: string;
}

export interface OpenIdTables {
  openid_providers: OpenIdProvidersTable;
  openid_accounts: OpenIdAccountsTable;
  openid_visits: OpenIdVisitsTable;
}
