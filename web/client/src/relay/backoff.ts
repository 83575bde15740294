/**
 * Returns the wait before a retry, in ms: exponential up to 30 s, with half of it random.
 *
 * @param attempt 0 for the first retry
 * @param random a number from 0 to 1
 */
export function backoff(attempt: number, random = Math.random()): number {
  const longest = Math.min(30_000, 500 * 2 ** Math.min(attempt, 10));
  return longest / 2 + (longest / 2) * random;
}
