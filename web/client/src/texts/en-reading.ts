// The texts about where the visitor has stopped reading, in English.
export const enReading = {
  // The server counts to 100.
  unread: (count: number) => `${count}${count >= 100 ? '+' : ''} unread`,
  stoppedHere: (unread: string) => (unread ? `You stopped here · ${unread}` : 'You stopped here'),
  back: (unread: string) => (unread ? `Go to where you stopped · ${unread}` : 'Go to where you stopped'),
};
