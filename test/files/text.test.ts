/** Texts that people save: read in the encoding that they name, or refused with a sentence, and never full of replacement characters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLeniently, decodeText } from '../../src/files/text.ts';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
/** 'Žába', in Windows-1250, and a Japanese word in Shift JIS. */
const frog = Buffer.from('\x8e\xe1ba', 'latin1');
const pond = Buffer.from('\x92\x72', 'latin1');
const page = (tag: string) => Buffer.concat([Buffer.from(`<!DOCTYPE html><html><head>${tag}<title>`), pond]);

test('a text is read in the encoding that its mark, its Content-Type or its page names', () => {
  for (const [what, bytes, type, text] of [
    ['UTF-8', 'Žába', '', 'Žába'],
    ['its mark', '\ufeffŽába', '', 'Žába'],
    ['a single NUL', 'a\0 long line', '', 'a long line'],
    ['UTF-16', Buffer.from('\ufeffŽába\t水', 'utf16le'), '', 'Žába\t水'],
    ['UTF-16, the other way round', utf16be('\ufeffŽába\t水'), '', 'Žába\t水'],
    ['UTF-16 that a server calls UTF-8', Buffer.from('\ufeffa', 'utf16le'), 'text/plain; charset=utf-8', 'a'],
    ['UTF-16 without a mark', Buffer.from('水', 'utf16le'), 'text/plain;charset=UTF-16LE', '水'],
    ['a code page', frog, 'text/csv; header=present; Charset="windows-1250"', 'Žába'],
    ['a code page that is UTF-8 by chance', Buffer.from('\xc2\xb5', 'latin1'), 'text/plain; charset=gbk', '碌'],
    ['UTF-8 with the default of servers', 'Žába', 'text/html; charset=ISO-8859-1', 'Žába'],
    ['Latin 1', Buffer.from('é', 'latin1'), 'text/plain; charset=latin1', 'é'],
    ['an encoding that nobody knows', 'Žába', 'text/plain; charset=klingon', 'Žába'],
    ['a wrong encoding', 'Žáb', 'text/plain; charset=utf-16', 'Žáb'],
    ['a page', page('<meta charset=shift_jis>'), 'text/html', /池$/],
    ['an old page', page('<META HTTP-EQUIV="a" content="text/html; charset = Shift_JIS">'), '', /池$/],
    ['a page that does not know itself', '<meta charset=gbk>Žába', '', /Žába$/],
  ] as const) {
    const read = decodeText(Buffer.from(bytes as Buffer), type);
    if (typeof text === 'string') assert.equal(read, text, what);
    else assert.match(read, text, what);
  }
});

test('what names no encoding and is not UTF-8 is refused, with its byte', () => {
  for (const [what, bytes, sentence] of [
    ['a code page', frog, /^The file is not UTF-8 at byte 1: save it as UTF-8/],
    ['half a character', Buffer.from('aé').subarray(0, 2), /byte 2:/],
    ['UTF-16 without a mark', Buffer.from('Title\tLink', 'utf16le'), /^The file is UTF-16: save it as UTF-8\.$/],
    ['half of UTF-16', Buffer.from('\ufeffab', 'utf16le').subarray(0, 5), /is UTF-16/],
    ['UTF-32', Buffer.from('\xff\xfe\0\0a\0\0\0b\0\0\0', 'latin1'), /is UTF-16/],
    ['a page of UTF-16 that is none', page('<meta charset=utf-16>'), /not UTF-8 at byte 56:/],
    ['an archive', Buffer.from('PK\x03\x04\xff', 'latin1'), /compressed/],
  ] as const) {
    assert.throws(() => decodeText(bytes), { message: sentence }, what);
    assert.match(decodeLeniently(bytes), /\ufffd|\0/, what);
  }
  assert.equal(decodeLeniently(frog, 'text/plain; charset=cp1250'), 'Žába');
});
