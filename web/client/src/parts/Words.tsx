import { Link } from '../app/Link';
import { profileHref } from '../app/routes';
import { hostOf, tokens } from './text';

/** Plain text with clickable links and mentions. */
export function Words({ text }: { text: string }) {
  return tokens(text).map((token, i) => {
    switch (token.kind) {
      case 'link':
        return (
          <a key={i} href={token.href} target="_blank" rel="noreferrer nofollow">
            {hostOf(token.href) + (token.text.length > 40 ? '/…' : token.text.replace(/^https?:\/\/[^/]+/, ''))}
          </a>
        );
      case 'mention':
        return <Link key={i} href={profileHref(token.handle)}>{token.text}</Link>;
      default:
        return token.text;
    }
  });
}
