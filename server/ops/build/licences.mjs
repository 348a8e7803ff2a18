// `npm run licences`: writes docs/licencas.md from the lockfile. With --check it writes nothing, and fails if a licence
// forbids this use or is unknown, or if the page is outdated. Part of `npm run check`.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import satisfies from 'spdx-satisfies'
import { listPackages } from '../cli/packages.mjs'
import { command, inRoot, say, Stop } from '../cli/root.mjs'

/** @typedef {import('../cli/packages.mjs').Package} Package */

/** Licences allowed in a closed product: they require notices, but no source code. */
const SHIPPED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Changed files would have to be published; we change none.
  'MPL-2.0',
  // Fonts: may be served with the product, not sold alone.
  'OFL-1.1',
  'Unlicense',
]
/** The LGPL asks that an operator may replace the library. These lie unchanged in files of their own. */
const REPLACEABLE = { names: /^@img\/sharp-/, licences: [...SHIPPED, 'LGPL-3.0-or-later'] }
/** Build tools may also have data licences, which require only attribution. */
const TOOLS = [...SHIPPED, 'CC-BY-3.0', 'CC-BY-4.0', 'Python-2.0']

const INTRO = `# Licenças

O portal usa os pacotes abaixo, cada um sem alterações e com a licença que declara. Produção é o que roda no servidor ou chega ao navegador, a fonte Figtree (OFL-1.1) e os ícones Lucide (ISC) entre eles; desenvolvimento é o que só constrói e testa. Os textos inteiros das licenças de produção vão junto com o portal, em \`/licencas.txt\`. Os ícones do aplicativo são próprios.

Página escrita por \`npm run licences\`; \`npm run check\` recusa uma licença que proíba este uso, uma desconhecida e uma página desatualizada.
`

/**
 * One line for each package whose licence is unknown or does not allow its use.
 * @param {readonly Package[]} packages
 */
export const faultsOf = (packages) =>
  packages
    .filter((one) => !isAllowed(one.licence, allowedFor(one)))
    .map(
      ({ name, version, licence, isShipped }) =>
        `${name} ${version} (${isShipped ? 'produção' : 'desenvolvimento'}): ${licence === '' ? 'sem licença declarada' : `licença ${licence} não permitida`}`,
    )

/** @param {Package} one */
function allowedFor({ name, isShipped }) {
  if (!isShipped) return TOOLS
  return REPLACEABLE.names.test(name) ? REPLACEABLE.licences : SHIPPED
}

/**
 * @param {string} licence an SPDX expression, or whatever else a package says of itself
 * @param {readonly string[]} allowed
 */
function isAllowed(licence, allowed) {
  try {
    return satisfies(licence, [...allowed])
  } catch {
    return false
  }
}

/** @param {readonly Package[]} packages */
export function pageOf(packages) {
  const section = (/** @type {string} */ title, /** @type {readonly Package[]} */ some) =>
    [
      `## ${title} (${some.length})`,
      '',
      ...some.map(({ name, version, licence }) => `- \`${name}\` ${version}: ${licence}`),
    ].join('\n')
  return [
    INTRO,
    section(
      'Produção',
      packages.filter(({ isShipped }) => isShipped),
    ),
    '',
    section(
      'Desenvolvimento',
      packages.filter(({ isShipped }) => !isShipped),
    ),
  ].join('\n')
}

await command(import.meta.url, async () => {
  const page = inRoot('docs/licencas.md')
  const packages = listPackages(JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8')))
  const faults = faultsOf(packages)
  if (faults.length > 0) throw new Stop(faults.join('\n'))
  const text = await format(pageOf(packages), { ...(await resolveConfig(page)), filepath: page })
  if (!process.argv.includes('--check')) {
    await writeFile(page, text)
    say(`${packages.length} pacotes em docs/licencas.md; toda licença permite este uso.`)
  } else if (text !== (await readFile(page, 'utf8').catch(() => '')))
    throw new Stop('docs/licencas.md está desatualizada: npm run licences')
})
