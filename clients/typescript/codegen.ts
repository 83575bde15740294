// How the operations become typed documents: scripts/typescript.sh runs graphql-codegen
// with this file. The operations are those of the client in Go.
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: '../../clients/go/operations/*.graphql',
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: {
        // Documents are named by the hash of their text, to servers that trust no others.
        persistedDocuments: { hashAlgorithm: 'sha256' },
        // Readers take fragments as the data they are; there are no components to hide them from.
        fragmentMasking: false,
      },
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        // Moments are texts in RFC 3339, and URLs may be relative.
        scalars: { ID: 'string', DateTime: 'string', URL: 'string' },
      },
    },
  },
};

export default config;
