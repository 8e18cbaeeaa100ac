/** What every page has to do with: markup, the place of this garden, and what its browser may load. */
import type { html } from 'hono/html';

export type Html = ReturnType<typeof html>;
