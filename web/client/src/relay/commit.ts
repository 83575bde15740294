// Runs mutations optimistically, and rolls them back and explains failures.
import { useCallback } from 'react';
import { useRelayEnvironment } from 'react-relay';
import { commitMutation, type IEnvironment, type MutationConfig, type MutationParameters } from 'relay-runtime';

import { useToasts } from '../parts/Toasts';
import { explain, inOneLine, Refusal } from './failure';
import { noteChange } from './reads';
import { texts } from '../texts';

/** A mutation and its store updates: optimistic and final. */
export type Change<M extends MutationParameters> = Pick<
  MutationConfig<M>,
  'mutation' | 'variables' | 'optimisticResponse' | 'optimisticUpdater' | 'updater'
>;

interface Payload {
  userErrors?: readonly { code: string; message: string }[];
}

/** Runs a mutation. It rejects with a Refusal for userErrors, and with a Failure otherwise. */
export function commit<M extends MutationParameters>(environment: IEnvironment, change: Change<M>): Promise<M['response']> {
  return new Promise((resolve, reject) => {
    const { updater } = change;
    commitMutation<M>(environment, {
      ...change,
      // A refused change does not update the store.
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
 * Returns a function that runs a mutation and shows a failure, with a retry button where that
 * helps. It returns whether the first attempt succeeded, and calls done after success, also of
 * a retry.
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
            ...(why.again && { action: { label: texts.messages.tryAgain, run: () => void run() } }),
          });
          return false;
        }
      };
      return run();
    },
    [environment, toasts],
  );
}
