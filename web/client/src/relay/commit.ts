// Runs mutations: optimistic at first, rolled back and explained when they fail.
import { useCallback } from 'react';
import { useRelayEnvironment } from 'react-relay';
import { commitMutation, type IEnvironment, type MutationConfig, type MutationParameters } from 'relay-runtime';

import { useToasts } from '../parts/Toasts';
import { explain, inOneLine, Refusal } from './failure';
import { noteChange } from './reads';

/** A mutation with what it does to the store: at once, and when the server has agreed. */
export type Change<M extends MutationParameters> = Pick<
  MutationConfig<M>,
  'mutation' | 'variables' | 'optimisticResponse' | 'optimisticUpdater' | 'updater'
>;

interface Payload {
  userErrors?: readonly { code: string; message: string }[];
}

/** Runs a mutation. Fails with a Refusal when the payload has userErrors, and with a Failure otherwise. */
export function commit<M extends MutationParameters>(environment: IEnvironment, change: Change<M>): Promise<M['response']> {
  return new Promise((resolve, reject) => {
    const { updater } = change;
    commitMutation<M>(environment, {
      ...change,
      // A refused change has nothing to put into the store.
      ...(updater && {
        updater: (store, response) => {
          if (response && !refusalOf(response)) updater(store, response);
        },
      }),
      onCompleted(response) {
        const refusal = refusalOf(response);
        if (refusal) {
          reject(refusal);
          return;
        }
        noteChange(environment);
        resolve(response);
      },
      onError: reject,
    });
  });
}

function refusalOf(response: object): Refusal | null {
  for (const payload of Object.values(response) as (Payload | null)[]) {
    const first = payload?.userErrors?.[0];
    if (first) return new Refusal(first.code, first.message);
  }
  return null;
}

/**
 * Returns a function that runs a mutation and tells people when it fails, with a button to
 * try again where that may help. It says whether the mutation succeeded at once, and calls
 * done when it has succeeded, be it later.
 */
export function useCommit() {
  const environment = useRelayEnvironment();
  const toasts = useToasts();
  return useCallback(
    async <M extends MutationParameters>(change: Change<M>, failed: string, done?: () => void): Promise<boolean> => {
      const run = async (): Promise<boolean> => {
        try {
          await commit(environment, change);
          done?.();
          return true;
        } catch (error) {
          const why = explain(error);
          toasts.show({
            tone: 'bad', title: failed, text: inOneLine(why), requestId: why.requestId, away: why.away,
            ...(why.again && { action: { label: 'Try again', run: () => void run() } }),
          });
          return false;
        }
      };
      return run();
    },
    [environment, toasts],
  );
}
