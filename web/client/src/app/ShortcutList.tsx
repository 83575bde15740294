import { texts } from '../texts';

/** The keyboard shortcuts. */
export function ShortcutList() {
  return (
    <dl className="keys">
      {texts.shortcuts.keys.map(([key, what]) => (
        <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>
      ))}
    </dl>
  );
}
