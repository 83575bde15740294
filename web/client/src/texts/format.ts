// Numbers, plurals and times in the language of the texts.

/** The visitor's variant of English if the browser names one, such as en-GB. */
export const locale = globalThis.navigator?.languages?.find((tag) => tag.startsWith('en')) ?? 'en';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** The units of a span, from the largest. */
const UNITS: readonly (readonly [Unit, number])[] = [['day', DAY], ['hour', HOUR], ['minute', MINUTE], ['second', SECOND]];

const inUnit = (count: number, unit: Unit, unitDisplay: 'narrow' | 'short', tag: string) =>
  new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay }).format(count);

/** Returns the form of a word that goes with a count. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return new Intl.PluralRules(locale).select(count) === 'one' ? forms.one : forms.other;
}

/** A number for a small place: 950, 1.2K, 38K, 4.5M. */
export function short(count: number, tag = locale): string {
  return new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** A short number and its word: "1 post", "2 posts". */
export function counted(count: number, forms: { one: string; other: string }): string {
  return `${short(count)} ${plural(count, forms)}`;
}

/** The age of a moment, as short as possible: "now", "5m", "3h", "2d", then the date. */
export function ago(moment: string, now: number, tag = locale): string {
  const then = Date.parse(moment);
  const passed = now - then;
  if (passed < MINUTE) return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(0, 'second');
  const unit = UNITS.find(([, length]) => passed >= length);
  if (unit && passed < 7 * DAY) return inUnit(Math.floor(passed / unit[1]), unit[0], 'narrow', tag);
  const sameYear = new Date(then).getFullYear() === new Date(now).getFullYear();
  return new Date(then).toLocaleDateString(tag, { day: 'numeric', month: 'short', ...(!sameYear && { year: 'numeric' }) });
}

/** A time that has passed, in words and one unit: "2 hours ago". */
export function sinceInWords(ms: number, tag = locale): string {
  const [unit, length] = UNITS.find(([, one]) => ms >= one) ?? ['second', SECOND];
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-Math.max(0, Math.floor(ms / length)), unit);
}

/** A length of time in its two largest units, without zeros: "2 days 3 hr", "4 min 9 sec". Never negative. */
export function span(ms: number, tag = locale): string {
  const left = Math.max(0, ms);
  const from = UNITS.findIndex(([, length]) => left >= length);
  const pair = from < 0 ? UNITS.slice(-1) : UNITS.slice(from, from + 2);
  const parts = pair.map(([unit, length], i) => [Math.floor((i ? left % pair[0]![1] : left) / length), unit] as const);
  const shown = parts.filter(([count], i) => i === 0 || count > 0);
  return new Intl.ListFormat(tag, { type: 'unit', style: 'narrow' }).format(shown.map(([count, unit]) => inUnit(count, unit, 'short', tag)));
}

/** A moment in full, for a tooltip. */
export const inFull = (moment: string, tag = locale): string => new Date(moment).toLocaleString(tag, { dateStyle: 'full', timeStyle: 'short' });

/** The time of day of a moment, to the second. */
export const timeOfDay = (moment: string, tag = locale): string => new Date(moment).toLocaleTimeString(tag);

/** The month of a moment: "October 2026". */
export const month = (moment: string, tag = locale): string => new Date(moment).toLocaleDateString(tag, { month: 'long', year: 'numeric' });
