/** The time zone of the browser: filled in for a new account, offered where another one is chosen. */
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
// Browsers keep earlier names of some zones, such as Asia/Calcutta.
const zone = document.querySelector(`option[data-earlier="${own}"]`)?.value ?? own;
const fields = zone ? document.querySelectorAll('[data-zone-fill] input') : [];
for (const field of fields) field.value = zone;

const offer = document.querySelector('[data-zone-here]');
const zoneField = document.querySelector('[name="time_zone"]');
if (offer && zone && zone !== zoneField.value) {
  offer.textContent = offer.dataset.zoneHere.replace('{zone}', zone);
  offer.parentElement.hidden = false;
  offer.addEventListener('click', () => {
    zoneField.value = zone;
    offer.parentElement.hidden = true;
    zoneField.focus();
  });
}
