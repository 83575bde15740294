// The parts of cursors that the server documents for clients.

/** The bytes of a cursor, each as a character of the same code. */
export function bytesOf(cursor: string): string {
  return atob(cursor.replace(/-/g, '+').replace(/_/g, '/'));
}

/** Compares bytes of cursors, which have the order of the numbers in them. */
export function compareBytes(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
