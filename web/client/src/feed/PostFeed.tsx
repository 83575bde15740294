import { useRef, useState, type ReactNode, type RefObject } from 'react';
import type { LoadMoreFn } from 'react-relay';

import { listKey, place } from '../app/history';
import { useShortcut } from '../app/shortcuts';
import { WindowList, type WindowListHandle } from '../parts/WindowList';
import { memoryOf } from '../parts/window';
import { Foot } from '../parts/Trouble';
import type { PostCard_post$key } from '../__generated__/PostCard_post.graphql';
import { PostCard } from '../post/PostCard';
import { PAGE } from './placement';

/** Estimated height of a post in pixels. */
const ESTIMATE = 150;

export interface FeedEntry {
  cursor: string | null;
  node: { id: string } & PostCard_post$key;
}

/** A line above an entry. */
export interface Line {
  before: string;
  text: string;
}

interface Props {
  /** The accessible name, unique on the page. */
  label: string;
  edges: readonly FeedEntry[];
  hasNext: boolean;
  loadNext: LoadMoreFn<never>;
  loadingNext: boolean;
  empty: ReactNode;
  end: string;
  above?: { more: boolean; loading: boolean; load(): void };
  /** Lines; of several above an entry, the first is shown. */
  lines?: readonly (Line | null)[];
  ref?: RefObject<WindowListHandle | null>;
}

/** A list of posts that loads more when the visitor scrolls. */
export function PostFeed(props: Props) {
  const { edges, hasNext, loadNext, loadingNext, above, lines } = props;
  const [failure, setFailure] = useState<Error | null>(null);
  const [memory] = useState(() => {
    const kept = memoryOf(listKey(), props.label, ESTIMATE);
    // A list that begins below the top keeps its first entry in place.
    if (above?.more && edges[0]) kept.anchor ??= { key: edges[0].node.id, offset: 0 };
    return kept;
  });
  const own = useRef<WindowListHandle>(null);
  const list = props.ref ?? own;
  useShortcut('j', () => list.current?.move(1));
  useShortcut('k', () => list.current?.move(-1));
  const [returned] = useState(() => place.get().returned);
  const more = () => {
    if (loadingNext || !hasNext) return;
    setFailure(null);
    loadNext(PAGE, { onComplete: setFailure });
  };
  if (!edges.length && !hasNext) return props.empty;
  return (
    <>
      <WindowList
        ref={list}
        label={props.label}
        items={edges}
        keyOf={(edge) => edge.node.id}
        memory={memory}
        returned={returned}
        busy={loadingNext || (above?.loading ?? false)}
        moreAbove={above?.more ?? false}
        onNearEnd={() => failure || more()}
        {...(above && { onNearTop: () => above.more && above.load() })}
        render={(edge, i) => {
          const line = i > 0 && lines?.find((one) => one?.before === edge.node.id);
          return (
            <>
              {line && <TideLine text={line.text} />}
              <PostCard post={edge.node} position={i + 1} total={hasNext ? -1 : edges.length} />
            </>
          );
        }}
      />
      <Foot loading={loadingNext} failure={failure} hasMore={hasNext} retry={more} end={props.end} />
    </>
  );
}

/** A wave between posts, with a text. A feed contains nothing with a role but articles. */
function TideLine({ text }: { text: string }) {
  return (
    <div className="tide-line">
      <svg viewBox="0 0 600 14" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0" />
      </svg>
      {text}
    </div>
  );
}
