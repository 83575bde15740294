import { pageTexts } from '../texts/pages';

/** The keyboard shortcuts. */
export default function ShortcutList() {
  return (
    <dl className="keys">
      {pageTexts.shortcuts.map(([key, what]) => (
        <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>
      ))}
    </dl>
  );
}
