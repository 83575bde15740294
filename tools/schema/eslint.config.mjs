// What the schema is held to: the rules that @graphql-eslint recommends for schemas and
// for Relay, and what is stricter here.
import graphql from '@graphql-eslint/eslint-plugin';

const described = {
  types: true,
  FieldDefinition: true,
  InputValueDefinition: true,
  EnumValueDefinition: true,
  DirectiveDefinition: true,
};

export default [
  {
    files: ['**/*.graphql'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      // Connections also offer their nodes without edges. An entry of the moderation log is no Node: nothing
      // refers to one alone.
      '@graphql-eslint/relay-edge-types': ['error', { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false }],
      // Most lists are read in one direction only.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
      '@graphql-eslint/require-description': ['error', described],
      // Counters, edges and payloads are part of something that has an id.
      '@graphql-eslint/strict-id-in-types': 'off',
    },
  },
];
