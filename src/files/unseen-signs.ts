/**
 * Signs that people copy along with a text and do not see: controls, blanks without width, and signs that turn the direction of the
 * text around them (UAX 9).
 */
export const unseenSigns = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cc}\p{Zl}\p{Zp}]/gu;
