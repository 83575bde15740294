// The configuration of graphql-codegen, which scripts/typescript.sh runs. The operations are those
// of the Go client.
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: '../../clients/go/operations/*.graphql',
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: {
        // Document ids are hashes of the text, for trusted documents.
        persistedDocuments: { hashAlgorithm: 'sha256' },
        // Callers read fragments directly.
        fragmentMasking: false,
      },
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        // Times are RFC 3339 strings, URLs may be relative.
        scalars: { ID: 'string', DateTime: 'string', URL: 'string', JSON: 'Record<string, unknown>' },
      },
    },
  },
};

export default config;
