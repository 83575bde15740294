import { useEffect } from 'react';

import { Mark } from '../parts/Icon';
import { ServerLinks } from '../app/ServerLinks';
import { SignIn } from './SignIn';
import { texts } from '../texts';

/** The start page of an anonymous visitor. */
export default function WelcomePage() {
  useEffect(() => {
    document.title = texts.app.name;
  }, []);
  return (
    <div className="welcome">
      <div className="welcome-words">
        <Mark />
        <h1 tabIndex={-1}>{texts.app.name}</h1>
        <p className="lead">{texts.signIn.lead}</p>
        <ServerLinks />
      </div>
      <SignIn />
      <Sea />
    </div>
  );
}

/** The waves at the bottom of the page. */
function Sea() {
  return (
    <svg className="sea" viewBox="0 0 1200 220" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path d="M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z" />
      <path d="M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z" />
      <path d="M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z" />
    </svg>
  );
}
