/**
 * Starts the interactive reference (Swagger UI) on this garden's own document. Nothing leaves this origin, and a token
 * that is pasted in is forgotten with the page.
 */
const place = document.getElementById('try');
const base = place.dataset.base;

/** The document as it suits trying: requests go where the page came from, and no optional parameter is filled in. */
function prepare(openapi) {
  openapi.servers = [{ url: base === '' ? '/' : base }];
  for (const operation of Object.values(openapi.paths).flatMap((methods) => Object.values(methods))) {
    for (const parameter of operation.parameters) {
      const [example] = Object.values(parameter.examples ?? {}).map(({ value }) => value);
      delete parameter.examples;
      // The tool sends every example as it stands: right for an id, too many filters at once for the others.
      if (parameter.required) parameter.example = example;
      else if (example !== undefined) parameter.description += ` Example: \`${[example].flat().join(', ')}\``;
    }
    const samples = operation['x-codeSamples'].map(
      ({ label, lang, source }) => `**${label}**\n\n\`\`\`${lang.toLowerCase()}\n${source}\n\`\`\``,
    );
    operation.description += `\n\n${samples.join('\n\n')}`;
  }
  // A try shows the headers of the answer; the plain reference says what each means.
  const answers = Object.values(openapi.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ responses }) => responses);
  for (const responses of [...answers, openapi.components.responses]) {
    for (const response of Object.values(responses)) {
      delete response.headers;
      // The tool offers what stands in `content`, and asks for it by Accept.
      if (response.content) Object.assign(response.content, response['x-alternativeContent']);
    }
  }
  return openapi;
}

/** Adds help that the tool lacks for those who do not see or point: names of lists, and scrolling by key. */
function helpAlong() {
  const mend = () => {
    for (const select of place.querySelectorAll('.examples-select-element')) select.ariaLabel = 'Example';
    for (const select of place.querySelectorAll('[data-param-name] select')) {
      select.ariaLabel = select.closest('[data-param-name]').dataset.paramName;
    }
    for (const table of place.querySelectorAll('.responses-table')) {
      table.ariaLabel = `Answers of ${table.closest('.opblock').id}`;
    }
    for (const block of place.querySelectorAll('pre')) block.tabIndex = 0;
  };
  new MutationObserver(mend).observe(place, { childList: true, subtree: true });
}

/** JSON indented without touching its numbers: an id of 64 bits would not survive a JavaScript number. */
function indent(json) {
  if (typeof JSON.rawJSON !== 'function') return json;
  const exact = (_key, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
  return JSON.stringify(JSON.parse(json, exact), null, 2);
}

/**
 * Our changes to the tool: it shows every number of an answer exactly, and not as the double that it reads, and it leaves
 * out what the page says itself.
 */
function adapted() {
  const nothing = () => null;
  const wrap = (Original, { React }) => {
    return (props) => {
      const { content, contentType } = props;
      if (typeof content !== 'string' || !/json/i.test(contentType)) {
        return React.createElement(Original, props);
      }
      const text = /ndjson/i.test(contentType) ? content : indent(content);
      // A type the tool has no rule for is shown as it is.
      return React.createElement(Original, { ...props, content: text, contentType: 'exact' });
    };
  };
  return {
    wrapComponents: { responseBody: wrap },
    components: { InfoContainer: nothing, ServersContainer: nothing },
  };
}

/** The tool's dark colours follow the reader's choice, or their system, as the rest of the page does. */
function followColours() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const { classList, dataset } = document.documentElement;
  const apply = () => classList.toggle('dark-mode', dataset.theme ? dataset.theme === 'dark' : dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

async function start() {
  followColours();
  helpAlong();
  const response = await fetch(`${base}/openapi.json`, { credentials: 'omit' });
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`);
  SwaggerUIBundle({
    domNode: place,
    spec: prepare(await response.json()),
    plugins: [adapted],
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    validatorUrl: null,
    // Its colours have too little contrast.
    syntaxHighlight: { activated: false },
    requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  });
}

start().catch((error) => {
  place.textContent = `The interactive reference could not start (${error.message}); the plain one has the same.`;
});
