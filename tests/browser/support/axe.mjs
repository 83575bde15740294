// The accessibility rules of axe.
import axe from 'axe-core';

// violations returns the findings of axe, one per line. The full report stays in the page, because
// it is close to a megabyte.
export async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations: found } = await globalThis.axe.run();
    return found.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary}`));
  });
}
