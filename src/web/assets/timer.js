/** Counts the minutes of a timer that runs, from what the page said when it was made. */
const loadedAt = Date.now();
const longestMinutes = 720;

function count() {
  for (const figure of document.querySelectorAll('[data-elapsed]')) {
    const minutes = Math.floor((Number(figure.dataset.elapsed) + Date.now() - loadedAt) / 60_000);
    figure.textContent = String(Math.min(minutes, longestMinutes));
    const line = figure.closest('.timer')?.querySelector('[data-most]');
    line?.querySelector('.done').setAttribute('width', String(Math.min(minutes, Number(line.dataset.most))));
  }
}

setInterval(count, 5000);
