// Whether the server is reachable.
import { createStore } from '../parts/store';

export interface Status {
  /** False while the browser is offline or the last request had no response. */
  reachable: boolean;
  /** The end of the rate limit, in ms since the epoch; 0 for none. */
  limitedUntil: number;
}

const FIRST_PROBE = 1_000;
const SLOWEST_PROBE = 30_000;

/**
 * Watches the connection. While the server is unreachable, it probes the server after growing
 * pauses, so that pages recover by themselves.
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
   * Call it when a request is sent, and the returned function on any response. A response to a
   * request from before the connection was lost does not prove that the server is back.
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

  /** Call it when a request had no response. */
  lost(): void {
    if (this.status.get().reachable) {
      this.#losses++;
      this.status.set({ ...this.status.get(), reachable: false });
    }
    this.#probe ??= setTimeout(() => void this.#ask(), this.#pause);
  }

  /** Call it when the server limits requests for some seconds. */
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
