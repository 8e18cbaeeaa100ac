/**
 * For `node --import`: within the program and its tests a relative path with an ending names a file, as the launcher has it
 * (bin/garden). Without the search for that file a test file starts a tenth of a second earlier. Every test file is given `light-hooks.ts` with it.
 */
import { registerHooks } from 'node:module';
import './light-hooks.ts';

const root = new URL('../../', import.meta.url).href;
const formats = [
  [/^(?:src|test|client\/src)\//, /^\.\.?\/.+\.ts$/, 'module-typescript'],
  [/^node_modules\/kysely\//, /^\.\.?\/.+\.m?js$/, 'module'],
] as const;

registerHooks({
  resolve: (specifier, context, next) => {
    if (!specifier.startsWith('.') || !context.parentURL?.startsWith(root)) return next(specifier, context);
    const parent = context.parentURL.slice(root.length);
    const found = formats.find(([places, names]) => places.test(parent) && names.test(specifier));
    if (!found) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: found[2], shortCircuit: true };
  },
});
