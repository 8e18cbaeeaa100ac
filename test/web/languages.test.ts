/** The language of a visit: nobody knows it while modules load, and each page is in the one that its browser prefers. */
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import test from 'node:test';

test('no module of the website asks for the language while it loads', async () => {
  const hooks = registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.endsWith('/src/web/words/reader.ts')) return loaded;
      const reader = /readers\.getStore\(\) \?\? everybody/;
      assert.match(String(loaded.source), reader);
      const source = String(loaded.source).replace(reader, "readers.getStore() ?? assert.fail('no visit')");
      return { ...loaded, source: `import assert from 'node:assert/strict';\n${source}` };
    },
  });
  await import('../../src/web/routes.ts');
  hooks.deregister();
});
