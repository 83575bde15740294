import { texts } from '../texts';

/** Links to pages of the server that are not part of the client. */
export function ServerLinks({ label = texts.server.developers }: { label?: string }) {
  return (
    <nav className="server-links" aria-label={label}>
      <a href="/graphiql">{texts.server.graphiql}</a>
      <a href="/schema.graphql">{texts.server.schema}</a>
      <a href="/tasks">{texts.server.tasks}</a>
      <a href="/healthz">{texts.server.health}</a>
    </nav>
  );
}
