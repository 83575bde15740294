import type { Audience } from './publish';
import { texts } from '../texts';

const AUDIENCES: readonly Audience[] = ['PUBLIC', 'FOLLOWERS'];

/** Chooses who a post is for. */
export function AudienceChoice({ value, onChange }: { value: Audience; onChange(audience: Audience): void }) {
  return (
    <select className="audience" aria-label={texts.audience.label} value={value} onChange={(event) => onChange(event.target.value as Audience)}>
      {AUDIENCES.map((audience) => <option key={audience} value={audience}>{texts.audience[audience]}</option>)}
    </select>
  );
}
