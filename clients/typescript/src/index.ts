export * from './changes.ts';
export * from './client.ts';
export * from './feeds.ts';
export * from './generated/graphql.ts';
