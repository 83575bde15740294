// valve returns a promise and the function that fulfils it.
export function valve() {
  let open;
  return [new Promise((resolve) => { open = resolve; }), open];
}
