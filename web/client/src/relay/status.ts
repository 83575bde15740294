// Whether the server can be reached, as far as this page knows.
import { createStore } from '../parts/store';

export interface Status {
  /** False while the browser has no network, or the last request got no answer. */
  reachable: boolean;
  /** Until when, in ms since the epoch, the server wants to be left alone; 0 when it does not. */
  limitedUntil: number;
}

const FIRST_PROBE = 1_000;
const SLOWEST_PROBE = 30_000;

/**
 * Watches the connection. While the server does not answer, it is asked after ever longer
 * pauses whether it is back, so that pages come to life again by themselves.
 */
export class Connection {
  readonly status = createStore<Status>({ reachable: true, limitedUntil: 0 });
  #probe: ReturnType<typeof setTimeout> | undefined;
  #pause = FIRST_PROBE;
  #losses = 0;

  constructor(private readonly healthUrl: string) {
    addEventListener('offline', () => this.lost());
    addEventListener('online', () => void this.#ask());
    if (!navigator.onLine) this.lost();
  }

  /**
   * To be called when something is sent to the server. Returns what is to be called when it
   * has answered, whatever it said. An answer to what was sent before the connection was
   * lost may have been under way by then, and does not say that it is back.
   */
  asked(): () => void {
    const losses = this.#losses;
    return () => {
      if (losses === this.#losses) this.#answered();
    };
  }

  #answered(): void {
    clearTimeout(this.#probe);
    this.#probe = undefined;
    this.#pause = FIRST_PROBE;
    if (!this.status.get().reachable) this.status.set({ ...this.status.get(), reachable: true });
  }

  /** To be called when a request got no answer. */
  lost(): void {
    if (this.status.get().reachable) {
      this.#losses++;
      this.status.set({ ...this.status.get(), reachable: false });
    }
    this.#probe ??= setTimeout(() => void this.#ask(), this.#pause);
  }

  /** To be called when the server asked for a pause of so many seconds. */
  limited(seconds: number): void {
    this.status.set({ ...this.status.get(), limitedUntil: Date.now() + Math.max(1, seconds) * 1_000 });
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#probe);
    this.#probe = undefined;
    const answered = this.asked();
    try {
      await fetch(this.healthUrl, { cache: 'no-store' });
      answered();
    } catch {
      this.#pause = Math.min(this.#pause * 2, SLOWEST_PROBE);
      this.lost();
    }
  }
}
