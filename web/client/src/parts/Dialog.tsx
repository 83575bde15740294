import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

import { Icon } from './Icon';
import { texts } from '../texts';

/**
 * A dialog in front of the page. The browser keeps the focus inside, closes it on Escape,
 * and gives the focus back to where it was.
 */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Runs before the effects of the children, which measure the dialog and take the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="icon-button" aria-label={texts.dialog.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks for confirmation of an action. */
export function Confirm(props: { title: string; text: string; yes: string; onYes(): void; onClose(): void }) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.text}</p>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={props.onClose}>{texts.dialog.cancel}</button>
        <button
          type="button"
          className="button button-danger"
          onClick={() => {
            props.onClose();
            props.onYes();
          }}
        >
          {props.yes}
        </button>
      </div>
    </Dialog>
  );
}
