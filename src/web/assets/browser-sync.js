/**
 * Asks a judge for a member's submissions from the member's own browser, answer by answer, and sends each as a file of
 * the page's form. The garden reads them: what they mean, and where the next one begins, is not known here.
 */
const form = document.querySelector('[data-asks]');
const button = form.querySelector('button');
const retries = 3;
form.hidden = false;

function say(name) {
  for (const one of form.querySelectorAll('[data-says]')) one.hidden = one.dataset.says !== name;
}

const pause = (times = 1) => new Promise((go) => setTimeout(go, times * form.dataset.interval));

/** The judge's answer, whatever it says. */
async function ask(from) {
  const answer = await fetch(form.dataset.asks + from, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  return answer.text();
}

function put(text) {
  const files = new DataTransfer();
  files.items.add(new File([text], 'answer.json', { type: 'application/json' }));
  form.elements.file.files = files.files;
}

button.addEventListener('click', async () => {
  button.disabled = true;
  let failed = 0;
  let last;
  let done;
  for (;;) {
    say(failed > 0 ? 'again' : 'asking');
    let reply;
    let text;
    try {
      text = await ask(form.elements.from.value);
      put(text);
    } catch {
      // A page in place of an answer, which a browser hides from other sites, looks the same as no connection.
      if (++failed <= retries) {
        await pause(failed);
        continue;
      }
      say('unreachable');
      break;
    }
    // A cache may ignore which row is asked for.
    if (text === last) {
      location.assign(done);
      return;
    }
    try {
      reply = await fetch(form.action, { method: 'POST', body: new FormData(form) });
    } catch {
      say('stopped');
      break;
    }
    if (!reply.ok) {
      if (reply.status === 422 && ++failed <= retries) {
        await pause(failed);
        continue;
      }
      // The page that comes back says what is wrong.
      form.submit();
      return;
    }
    failed = 0;
    const { searchParams: soFar } = new URL(reply.url);
    if (!soFar.has('from')) {
      location.assign(reply.url);
      return;
    }
    for (const name of ['from', 'brought']) form.elements[name].value = soFar.get(name);
    form.querySelector('[data-rows]').textContent = soFar.get('rows');
    last = text;
    soFar.delete('from');
    done = `?${soFar}`;
    await pause();
  }
  button.disabled = false;
});
