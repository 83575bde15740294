// The changes of a feed since a token.
import { requestSubscription, type Disposable, type GraphQLTaggedNode, type IEnvironment, type OperationType } from 'relay-runtime';

import { backoff } from './backoff';
import type { Socket } from './socket';

interface Since extends OperationType {
  variables: { since: string };
}

export interface Followed<S extends Since> {
  subscription: GraphQLTaggedNode;
  /** Variables of the subscription, except the token. */
  variables?: object;
  /** Returns the token to begin with; null if it cannot be loaded now. */
  begin(): Promise<string | null>;
  /** Applies an event and returns its token. The store has the new content of nodes already. */
  apply(event: S['response']): string;
}

/** Receives the changes of a feed, also those that it missed while it was offline. */
export class Follower<S extends Since> {
  // The token up to which all changes were received.
  #since: string | null = null;
  #subscription: Disposable | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #running = false;

  constructor(
    private readonly environment: IEnvironment,
    private readonly socket: Pick<Socket, 'onReopen'>,
    private readonly feed: Followed<S>,
  ) {}

  /** Starts to listen; the returned function stops it. */
  start(): () => void {
    this.#running = true;
    // The library subscribes again with the first token, which would repeat what was received.
    const forget = this.socket.onReopen(() => this.#listen());
    void this.#begin();
    return () => {
      this.#running = false;
      forget();
      clearTimeout(this.#timer);
      this.#subscription?.dispose();
      this.#subscription = null;
    };
  }

  /** The token up to which all changes were received; null before the first. */
  get since(): string | null {
    return this.#since;
  }

  /** Goes on after another token, such as that of a first page that was loaded. */
  goOn(since: string): void {
    this.#since = since;
    this.#listen();
  }

  async #begin(): Promise<void> {
    if (this.#since === null) {
      const token = await this.feed.begin();
      this.#since ??= token;
      if (this.#since === null) return this.#again();
    }
    if (!this.#subscription) this.#listen();
  }

  #listen(): void {
    this.#subscription?.dispose();
    this.#subscription = null;
    if (!this.#running || this.#since === null) return;
    this.#subscription = requestSubscription<S>(this.environment, {
      subscription: this.feed.subscription,
      variables: { ...this.feed.variables, since: this.#since },
      onNext: (event) => {
        if (!event) return;
        this.#attempts = 0;
        this.#since = this.feed.apply(event);
      },
      onError: () => this.#again(),
      onCompleted: () => this.#again(),
    });
  }

  #again(): void {
    if (!this.#running) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#since === null ? void this.#begin() : this.#listen()), backoff(this.#attempts++));
  }
}
