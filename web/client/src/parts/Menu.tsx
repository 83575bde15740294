import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

export interface MenuItem {
  label: string;
  /** A short description. */
  hint?: string;
  danger?: boolean;
  /** Makes the item a checkbox. */
  checked?: boolean;
  run(): void;
}

/** Height in pixels of the bar at the bottom of a phone. */
const MARGIN = 80;

/** A button that opens a menu. Arrow keys move, Escape and a click outside close it. */
export function Menu(props: { label: string; className?: string; items: readonly MenuItem[]; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const menu = list.current;
    // Without room below, the menu opens upwards.
    if (menu && menu.getBoundingClientRect().bottom > innerHeight - MARGIN) menu.classList.add('menu-up');
    menu?.querySelector<HTMLElement>('[role^=menuitem]')?.focus({ preventScroll: true });
    const elsewhere = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', elsewhere);
    return () => removeEventListener('pointerdown', elsewhere);
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={box} className="menu-box">
      <button
        ref={button}
        type="button"
        className={props.className ?? 'icon-button'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={props.label}
        onClick={() => setOpen(!open)}
      >
        {props.children}
      </button>
      {open && (
        <div ref={list} className="menu" role="menu" aria-label={props.label} tabIndex={-1} onKeyDown={(event) => move(event, list.current, close)}>
          {props.items.map((item) => (
            <button
              key={item.label}
              type="button"
              role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={item.checked}
              tabIndex={-1}
              className={item.danger ? 'menu-item menu-danger' : 'menu-item'}
              onClick={() => {
                close();
                item.run();
              }}
            >
              <span>{item.label}</span>
              {item.hint && <small>{item.hint}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function move(event: KeyboardEvent, list: HTMLElement | null, close: () => void): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  const to = steps[event.key];
  if (to !== undefined) items.at(to % items.length)?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
