/**
 * The time zone of the browser is filled in for a new account, and offered where another zone is chosen. The page
 * shows the present time of the zone beside it. A cookie has it for a member without a zone.
 */
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
// Browsers keep earlier names of some zones, such as Asia/Calcutta.
const zone = document.querySelector(`option[data-earlier="${own}"]`)?.value ?? own;
const { pathname } = new URL('../../', document.currentScript.src);
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https.
if (zone && zone !== 'UTC') document.cookie = `zone=${zone};path=${pathname};max-age=3600;samesite=lax`;
const fields = document.querySelectorAll('[list="zones"]');
for (const field of fields) {
  if (zone && field.closest('[data-zone-fill]')) field.value = zone;
  field.addEventListener('input', () => showTime(field));
  showTime(field);
}

function showTime({ value, labels }) {
  const shown = labels[0].querySelector('[data-zone-time]');
  const { lang } = document.documentElement;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const timeZone = value.trim();
  try {
    // In one format, Japanese and Korean would put the day in brackets.
    const texts = [{ weekday: 'long' }, clock].map((one) => Intl.DateTimeFormat(lang, { ...one, timeZone }).format());
    shown.textContent = texts.join(' ');
  } catch {
    shown.textContent = '–';
  }
}

const offer = document.querySelector('[data-zone-here]');
const zoneField = document.querySelector('[name="time_zone"]');
if (offer && zone && zone !== zoneField.value) {
  offer.textContent = offer.dataset.zoneHere.replace('{zone}', zone);
  offer.parentElement.hidden = false;
  offer.addEventListener('click', () => {
    zoneField.value = zone;
    showTime(zoneField);
    offer.parentElement.hidden = true;
    zoneField.focus();
  });
}
