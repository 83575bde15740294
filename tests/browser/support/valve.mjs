// valve returns a promise and the function that resolves it.
export function valve() {
  let open;
  return [new Promise((resolve) => { open = resolve; }), open];
}
