/** Has the device make or use a passkey, and sends its answer with the form of the page. */
if (globalThis.PublicKeyCredential) {
  for (const one of document.querySelectorAll('[data-with-passkeys]')) one.hidden = false;
  for (const one of document.querySelectorAll('[data-without-passkeys]')) one.hidden = true;
}

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The options as the browser takes them: bytes where JSON has texts. */
function read({ challenge, user, excludeCredentials, ...rest }) {
  const publicKey = { ...rest, challenge: bytesOf(challenge) };
  if (user) publicKey.user = { ...user, id: bytesOf(user.id) };
  if (excludeCredentials)
    publicKey.excludeCredentials = excludeCredentials.map((one) => ({ ...one, id: bytesOf(one.id) }));
  return { publicKey };
}

/** The answer of the device as JSON (WebAuthn §5.1). */
function write({ id, type, response, authenticatorAttachment }) {
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const parts = Object.fromEntries(
    names.filter((name) => response[name]).map((name) => [name, textOf(response[name])]),
  );
  const transports = response.getTransports?.();
  return JSON.stringify({
    id,
    rawId: id,
    type,
    authenticatorAttachment,
    clientExtensionResults: {},
    response: transports ? { ...parts, transports } : parts,
  });
}

const card = document.querySelector('[data-passkey]');
const form = card?.querySelector('form');
async function ask() {
  const failed = card.querySelector('[data-failed]');
  failed.hidden = true;
  try {
    const options = read(JSON.parse(card.dataset.options));
    const makes = card.dataset.passkey === 'make';
    const answer = await (makes ? navigator.credentials.create(options) : navigator.credentials.get(options));
    form.elements.answer.value = write(answer);
    form.submit();
  } catch {
    failed.hidden = false;
  }
}
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
if (form) ask();
