// The two composition libraries. Each returns the schema of a router, or throws all errors.
import { composeServices as composeByApollo } from '@apollo/composition';
import { composeServices as composeByGuild } from '@theguild/federation-composition';
import { parse } from 'graphql';

const { TIDELINE_URL: url, TIDELINE_TOKEN: token } = process.env;

// tidelineSchema returns what a router reads from Tideline.
export async function tidelineSchema() {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  return (await response.json()).data._service.sdl;
}

export const libraries = { '@apollo/composition': composeByApollo, '@theguild/federation-composition': composeByGuild };

// compose composes schemas by name, with their URLs.
export function compose(library, subgraphs) {
  const services = Object.entries(subgraphs).map(([name, { schema, url }]) => ({ name, url, typeDefs: parse(schema) }));
  const { supergraphSdl, errors } = libraries[library](services);
  if (errors?.length) {
    throw new Error(`${library}: ${errors.map((e) => e.message).join('\n')}`);
  }
  return supergraphSdl;
}
