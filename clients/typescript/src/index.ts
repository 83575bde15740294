export * from './changes.ts';
export * from './client.ts';
export * from './home.ts';
export * from './generated/graphql.ts';
