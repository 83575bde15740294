// Collects the licence texts of the packages whose files went into a bundle.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const RULE = '-'.repeat(78);

// Returns one text: the licence texts, each once, under the names, versions and
// licences of the packages that ship it, in the order of names. The packages are
// those that own one of the input files; root is the folder the inputs are relative
// to. A package without a text of its own is listed under a sentence that says so;
// one without a licence at all is an error.
export async function licenceTexts(root, inputs) {
  const folders = new Set(inputs.map(packageFolder).filter(Boolean));
  const packages = await Promise.all([...folders].map((folder) => describe(path.join(root, folder))));
  packages.sort((a, b) => (a.title < b.title ? -1 : 1));
  const byText = new Map();
  for (const { title, text } of packages) byText.set(text, [...(byText.get(text) ?? []), title]);
  const parts = [...byText].map(([text, titles]) => `\n${RULE}\n${titles.join('\n')}\n\n${text}\n`);
  return 'The script and style sheet in this folder contain code of these packages.\n' + parts.join('');
}

// node_modules/a/node_modules/@b/c/lib/d.js belongs to node_modules/a/node_modules/@b/c.
function packageFolder(file) {
  return file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0];
}

async function describe(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`${name} names no licence`);
  const file = (await readdir(folder)).sort().find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  const text = file
    ? (await readFile(path.join(folder, file), 'utf8')).replace(/\r\n/g, '\n').trim()
    : `Without a licence text of its own; package.json says ${license}.`;
  return { title: `${name} ${version} (${license})`, text };
}
