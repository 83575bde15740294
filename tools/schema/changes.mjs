// What changes between two schemas mean for clients.
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

// changes returns what clients of the released schema see in that of today, as sentences:
// what breaks them, and what may surprise them.
export async function changes(released, today) {
  const all = await diff(buildSchema(released), buildSchema(today));
  const of = (level) => all.filter((change) => change.criticality.level === level).map((change) => change.message);
  return { breaking: of(CriticalityLevel.Breaking), dangerous: of(CriticalityLevel.Dangerous) };
}
