/** Formulas of notes, such as `$n^2$`, as MathML, which browsers show without a script. */
import type { MarkedExtension } from 'marked';
import temml from 'temml';
import { html } from '../markup.ts';

/** As in Pandoc, so that "$5 or $10" is no formula. */
const formulaPattern = /^(?:\$\$([^$]{1,300})\$\$|\$(?!\s)([^$\n]{1,300})(?<!\s)\$(?!\d))/;
/** Definitions could multiply without end, and lengths could cover the page. */
const refusedCommands = /\\\w*(?:def|let|command|global|rule|kern|skip|space|raise)/;
/** A note with so many takes 40 ms; those beyond are shown as TeX. */
const charactersAtMost = 8_000;
let charactersLeft = 0;

export const formulas: MarkedExtension = {
  hooks: {
    preprocess(markdown) {
      charactersLeft = charactersAtMost;
      return markdown;
    },
  },
  extensions: [
    {
      name: 'formula',
      level: 'inline',
      start: (source) => source.indexOf('$'),
      tokenizer(source) {
        const [raw, block, inline] = formulaPattern.exec(source) ?? [];
        const text = block ?? inline;
        if (raw === undefined || text === undefined) return undefined;
        return { type: 'formula', raw, text, isBlock: block !== undefined };
      },
      renderer: ({ raw, text, isBlock }) => toMathMl(text, isBlock) ?? String(html`${raw}`),
    },
  ],
};

/** Without the styles, which the policy of the pages refuses. Undefined for what is no TeX. */
function toMathMl(tex: string, displayMode: boolean): string | undefined {
  charactersLeft -= tex.length;
  if (charactersLeft < 0 || refusedCommands.test(tex)) return undefined;
  try {
    return temml.renderToString(tex, { displayMode, throwOnError: true }).replaceAll(/ (?:style|class)="[^"]*"/g, '');
  } catch {
    return undefined;
  }
}
