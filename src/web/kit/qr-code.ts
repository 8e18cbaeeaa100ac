/** Addresses for the camera of a phone. */
import { encode } from 'uqr';
import { type Html, html } from '../markup.ts';

/** A QR code (ISO/IEC 18004) with its quiet zone, of one path. Comparing all masks takes eight times as long. */
export function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'L', border: 2, maskPattern: 0 });
  const path = data.flatMap((row, y) =>
    [...row.map(Number).join('').matchAll(/1+/g)].map(
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    ),
  );
  return html`
    <svg class="qr" viewBox="0 0 ${size} ${size}" aria-hidden="true">
      <rect width="${size}" height="${size}"/><path d="${path.join('')}"/>
    </svg>`;
}
