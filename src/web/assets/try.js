/**
 * Puts a form below the samples of each operation, which sends its request. Nothing leaves this origin, and a token that
 * is pasted in is forgotten with the page.
 */
const template = document.getElementById('try');
const { document: address, base } = template.dataset;

/** The control of a parameter. Its example is filled in only where the request needs a value and deletes nothing. */
function fieldOf({ name, required = false, schema, examples }, method) {
  const [example = ''] = Object.values(examples ?? {}).map(({ value }) => value);
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const control = document.createElement(values ? 'select' : 'input');
  if (values) control.append(...['', ...values].map((value) => new Option(value)));
  else {
    control.placeholder = schema.type === 'array' ? `${example}, …` : example;
    control.autocomplete = 'off';
    control.spellcheck = false;
    if (required && method === 'get') control.value = example;
  }
  Object.assign(control, { name, required });
  const label = document.createElement('label');
  label.className = 'field';
  label.append(name, control);
  return label;
}

/** The target of the request; a list is written with commas, and sent as a parameter for each of its values. */
function targetOf(path, parameters, elements) {
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    const value = elements[name].value.trim();
    if (place === 'header') continue;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '')
      for (const one of schema.type === 'array' ? value.split(',') : [value]) query.append(name, one.trim());
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** JSON indented without touching its numbers: an id of 64 bits would not survive a JavaScript number. */
function indent(json) {
  if (typeof JSON.rawJSON !== 'function') return json;
  const exact = (_key, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
  return JSON.stringify(JSON.parse(json, exact), null, 2);
}

/** The body of a write is JSON that the visitor edits. */
function bodyOf({ content }) {
  const [{ value }] = Object.values(content['application/json'].examples);
  const control = document.createElement('textarea');
  Object.assign(control, { name: 'body', rows: 6, spellcheck: false, value: JSON.stringify(value, null, 2) });
  const label = document.createElement('label');
  label.className = 'field';
  label.append('JSON', control);
  return label;
}

async function send(method, target, form, fields) {
  const answer = form.querySelector('.answer');
  const [status, headers, body] = answer.querySelectorAll('[role="status"], pre');
  const { token, accept, body: sent } = form.elements;
  answer.hidden = false;
  status.textContent = '…';
  headers.textContent = body.textContent = '';
  try {
    const sentAt = performance.now();
    const response = await fetch(base + target, {
      method,
      headers: {
        ...(accept && { Accept: accept.value }),
        ...(token.value && { Authorization: `Bearer ${token.value.trim()}` }),
        ...(sent && { 'Content-Type': 'application/json' }),
        ...fields,
      },
      body: sent?.value,
      credentials: 'omit',
      cache: 'no-store',
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - sentAt);
    status.textContent = `${method} ${target}: ${response.status} ${response.statusText}, ${ms} ms`;
    headers.textContent = Array.from(response.headers, (pair) => pair.join(': ')).join('\n');
    body.textContent = /^application\/json/.test(response.headers.get('Content-Type')) ? indent(text) : text;
  } catch {
    status.textContent = status.dataset.failed;
  }
}

function formOf(path, method, { parameters, requestBody, responses }) {
  const part = template.content.firstElementChild.cloneNode(true);
  const form = part.querySelector('form');
  const { accept } = form.elements;
  const { content, 'x-alternativeContent': others } = responses[200] ?? {};
  const types = Object.keys({ ...content, ...others });
  accept.append(...types.map((type) => new Option(type)));
  accept.parentElement.before(...parameters.map((one) => fieldOf(one, method)));
  if (requestBody) accept.parentElement.before(bodyOf(requestBody));
  if (types.length < 2) accept.parentElement.remove();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const headers = parameters.filter(({ in: place, name }) => place === 'header' && form.elements[name].value !== '');
    const fields = Object.fromEntries(headers.map(({ name }) => [name, form.elements[name].value]));
    send(method.toUpperCase(), targetOf(path, parameters, form.elements), form, fields);
  });
  return part;
}

async function start() {
  const { paths } = await (await fetch(address, { credentials: 'omit' })).json();
  const forms = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => formOf(path, method, operation)),
  );
  // The page has the operations in the order of the document, and the sample in Python is the last of each.
  const samples = Array.from(document.querySelectorAll('.prose > details')).filter(
    ({ firstElementChild }) => firstElementChild.textContent === 'Python',
  );
  for (const [place, sample] of samples.entries()) sample.after(forms[place]);
}

// The token of one form is that of all.
document.addEventListener('input', ({ target: { name, value } }) => {
  if (name !== 'token') return;
  for (const field of document.querySelectorAll('.try [name="token"]')) if (field.value !== value) field.value = value;
});
start();
