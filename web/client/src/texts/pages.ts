// The texts of the pages that load after the first; see index.ts.
import { enPages } from './en-pages';

export type PageTexts = typeof enPages;

export const pageTexts: PageTexts = enPages;
