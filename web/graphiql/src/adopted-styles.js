// Stands in for the package react-style-singleton, which the dialogs of GraphiQL
// use to lock the page's scrolling. That package writes a <style> element, which
// the page's Content-Security-Policy forbids; a constructed style sheet does the
// same and needs no exception.
import { useEffect } from 'react';

export function stylesheetSingleton() {
  let users = 0;
  let sheet = null;
  return {
    add(css) {
      if (users++ > 0) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    },
    remove() {
      if (--users > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      sheet = null;
    },
  };
}

export function styleHookSingleton() {
  const sheet = stylesheetSingleton();
  return (css, dynamic) => {
    useEffect(() => {
      sheet.add(css);
      return () => sheet.remove();
    }, [css && dynamic]);
  };
}

export function styleSingleton() {
  const useStyle = styleHookSingleton();
  return function Sheet({ styles, dynamic }) {
    useStyle(styles, dynamic);
    return null;
  };
}
