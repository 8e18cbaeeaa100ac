/** How long a minute, an hour and a day of 24 hours are. The days of a member, which can be shorter or longer, are in practice/days. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const daySeconds = dayMs / 1000;
