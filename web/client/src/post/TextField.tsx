import { useEffect, useId, useRef } from 'react';

import { length } from '../parts/text';
import { texts } from '../texts';

/** The maximum length of a post, in code points. */
export const LONGEST = 5_000;
/** The field shows the remaining length from this number on. */
const SHOWN_FROM = 200;

interface Props {
  label: string;
  value: string;
  placeholder?: string;
  autoFocus?: boolean;
  onChange(text: string): void;
  /** Ctrl or Cmd and Enter. */
  onSend(): void;
}

/** A text field that grows with its text. */
export function TextField({ label, value, placeholder, autoFocus = false, onChange, onSend }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [value]);
  useEffect(() => {
    const element = field.current;
    if (!autoFocus || !element) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [autoFocus]);
  const left = LONGEST - length(value);
  return (
    <div className="text-field">
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={label}
        aria-describedby={id}
        aria-invalid={left < 0}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSend();
        }}
      />
      <span id={id} className={left < 0 ? 'left left-over' : 'left'} role="status">
        {left < 0 ? texts.composer.over(-left) : left <= SHOWN_FROM ? texts.composer.left(left) : ''}
      </span>
    </div>
  );
}
