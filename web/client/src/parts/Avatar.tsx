import { hueOf, initials } from './text';

/** An avatar drawn from id and name: the page loads no pictures from other servers. */
export function Avatar({ user, size = 'medium' }: { user: { databaseId: string; name: string }; size?: 'small' | 'medium' | 'large' }) {
  const hue = hueOf(user.databaseId);
  const shift = hue % 8;
  return (
    <svg className={`avatar avatar-${size}`} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" fill={`hsl(${hue} 42% 38%)`} />
      <path d={`M0 ${27 + (shift % 4)}c7-5 13-5 20 0s13 5 20 0v20H0Z`} fill={`hsl(${(hue + 28) % 360} 45% 46%)`} opacity=".7" />
      <path d={`M0 ${33 + (shift % 3)}c7-4 13-4 20 0s13 4 20 0v20H0Z`} fill={`hsl(${(hue + 56) % 360} 50% 58%)`} opacity=".55" />
      <text x="20" y="25" textAnchor="middle">{initials(user.name)}</text>
    </svg>
  );
}

/** The banner of a profile, drawn from the id. */
export function Banner({ id }: { id: string }) {
  const hue = hueOf(id);
  return (
    <svg className="banner" viewBox="0 0 600 140" preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">
      <rect width="600" height="140" fill={`hsl(${hue} 38% 32%)`} />
      {[0, 1, 2, 3].map((i) => (
        <path
          key={i}
          d={`M0 ${50 + i * 24}c50-${22 - i * 3} 100-${22 - i * 3} 150 0s100 ${22 - i * 3} 150 0 100-${22 - i * 3} 150 0 100 ${22 - i * 3} 150 0v140H0Z`}
          fill={`hsl(${(hue + i * 14) % 360} ${42 + i * 3}% ${36 + i * 6}%)`}
        />
      ))}
    </svg>
  );
}
