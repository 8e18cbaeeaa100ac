/** What every page has to do with: markup, the place of this garden, and what its browser may load. */
import type { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

/** Where this garden is served: the configured base address, without a trailing slash, and its path. */
export interface Site {
  baseUrl: string;
  basePath: string;
}

/** No page without a session loads anything from elsewhere, and none but the interactive reference runs a script. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
