// The texts about where the visitor has stopped reading, which load with it; see index.ts.
import { enReading } from './en-reading';

export type ReadingTexts = typeof enReading;

export const readingTexts: ReadingTexts = enReading;
