// The texts for moderators; see index.ts.
import { enModeration } from './en-moderation';

export type ModerationTexts = typeof enModeration;

export const moderationTexts: ModerationTexts = enModeration;
