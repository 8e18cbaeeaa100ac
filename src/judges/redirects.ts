/** Addresses that carry the address of another page: redirects, translations and archives. */

const inner = /(https?)(?::\/{1,2}|\/)((?:[\w-]+\.)+[\w-]+(?:[/?#:].*)?)$/i;
const withoutScheme = /(?:^|[/:=])((?:[\w-]+\.)+[a-z]{2,6}\/.+)$/i;

export function* wrappedAddresses({
  hostname,
  pathname,
  search,
  hash,
  searchParams,
}: URL): Generator<string> {
  const rest = `${pathname}${search}${hash}`;
  const [, translated] = /^([\w-]+)\.translate\.goog$/i.exec(hostname) ?? [];
  if (translated)
    yield `https://${translated.replaceAll(/--?/g, (dashes) => (dashes === '-' ? '.' : '-'))}${rest}`;
  const texts = [...[...searchParams.values()].map(decoded), rest];
  for (const text of texts) {
    const [, scheme, address] = inner.exec(text) ?? [];
    if (address) yield `${scheme}://${address}`;
  }
  for (const text of texts) {
    const [, address] = withoutScheme.exec(text) ?? [];
    if (address) yield `https://${address}`;
  }
}

/** Some values are encoded twice, or are Base64 with a prefix. */
function decoded(value: string): string {
  const [, base64] = /^(?:a1)?(aHR0c[\w+/-]+)=*$/.exec(value) ?? [];
  if (base64) return Buffer.from(base64, 'base64').toString();
  try {
    return /^https?%3a/i.test(value) ? decodeURIComponent(value) : value;
  } catch {
    return value;
  }
}
