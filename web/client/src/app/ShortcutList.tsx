import { SHORTCUTS } from './shortcuts';

/** The keys and what they do. */
export function ShortcutList() {
  return (
    <dl className="keys">
      {SHORTCUTS.map(([key, what]) => (
        <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>
      ))}
    </dl>
  );
}
