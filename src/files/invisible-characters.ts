/** Invisible characters that are copied with text, such as direction marks (UAX 9). */
export const invisibleCharacters =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cc}\p{Zl}\p{Zp}]/gu;
