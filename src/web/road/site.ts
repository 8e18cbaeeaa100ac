/** The place of this garden, and what the browsers of its visitors may load. */

/** The address of this garden: the configured base address, without a trailing slash, and its path. */
export interface Site {
  baseUrl: string;
  basePath: string;
}

/** No page without a session loads anything from elsewhere, and none but the interactive reference runs a script. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
