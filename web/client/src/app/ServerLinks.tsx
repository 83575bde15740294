/** The other pages of the server, which are no part of the client. */
export function ServerLinks({ label = 'For developers' }: { label?: string }) {
  return (
    <nav className="server-links" aria-label={label}>
      <a href="/graphiql">GraphiQL</a>
      <a href="/schema.graphql">Schema</a>
      <a href="/tasks">Task queues</a>
      <a href="/healthz">Health</a>
    </nav>
  );
}
