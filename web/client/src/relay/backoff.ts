/**
 * How long to wait before the n-th try again, in ms: twice as long each time, at most
 * 30 s, and half of it by chance, so that the clients of a server that comes back do not
 * all come at once.
 *
 * @param attempt 0 for the first try again
 * @param random a number from 0 up to 1
 */
export function backoff(attempt: number, random = Math.random()): number {
  const longest = Math.min(30_000, 500 * 2 ** Math.min(attempt, 10));
  return longest / 2 + (longest / 2) * random;
}
