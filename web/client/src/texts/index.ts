// The texts of the client. A second language is another module of type Texts, and one of type
// PageTexts; choose them here and in pages.ts.
import { en } from './en';

export type Texts = typeof en;

export const texts: Texts = en;
