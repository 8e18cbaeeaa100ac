/** The response schema of a problem, for the peers on Fastify. */
const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const texts = { type: 'array', items: text };

export const problemSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: text,
    source: text,
    source_key: text,
    url: nullableText,
    rating: { type: ['integer', 'null'] },
    tags: texts,
    aliases: texts,
    editorial_url: nullableText,
    video_url: nullableText,
    created_at: text,
    updated_at: text,
  },
};
