// Set-up in a small checkout with a slow npm: one at a time, and complete after any interruption.
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startNode, type Watched } from '#tests/support/process.ts'

/** Reports its start, waits until told to continue, then writes npm's final record. */
const SLOW_NPM = `
import { appendFileSync, copyFileSync, existsSync, mkdirSync, watch } from 'node:fs'
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
console.error('npm began')
const finish = () => {
  mkdirSync('node_modules', { recursive: true })
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
  process.exit()
}
watch('.', () => existsSync('go') && finish())
if (existsSync('go')) finish()
`
const NPM_BEGAN = /npm began/

let checkout: string
beforeEach(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), 'portal-setup-'))
  for (const room of ['server/ops/cli', 'server/ops/build'])
    await cp(path.resolve(room), path.join(checkout, room), { recursive: true })
  await writeFile(
    path.join(checkout, 'package.json'),
    JSON.stringify({ type: 'module', engines: { node: '>=20.0.0' } }),
  )
  await writeFile(
    path.join(checkout, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }),
  )
  await mkdir(path.join(checkout, 'npm'))
  await writeFile(path.join(checkout, 'npm/npm-cli.js'), SLOW_NPM)
  await writeFile(path.join(checkout, 'npm/package.json'), JSON.stringify({ type: 'module' }))
})
afterEach(() => rm(checkout, { recursive: true, force: true }))

const setUp = (): Watched =>
  startNode(['server/ops/cli/setup.mjs'], {
    cwd: checkout,
    env: { npm_execpath: path.join(checkout, 'npm/npm-cli.js') },
  })
const letNpmGoOn = () => writeFile(path.join(checkout, 'go'), '')
const installs = async () =>
  (await readFile(path.join(checkout, 'npm.log'), 'utf8').catch(() => '')).split('\n').slice(0, -1)

test('installs once, and the next time does and prints nothing', async () => {
  await letNpmGoOn()
  expect(await setUp().ending).toMatchObject({
    code: 0,
    output: 'Instalando as dependências (npm ci)…\n',
  })
  expect(await setUp().ending).toMatchObject({ code: 0, output: '', errors: '' })
  expect(await installs()).toEqual(['ci --include=dev --include=optional'])
})

test('for a start only what a build needs is installed, and the rest is added for the tests', async () => {
  await writeFile(path.join(checkout, '.npmrc'), '')
  await writeFile(
    path.join(checkout, 'package-lock.json'),
    JSON.stringify({
      packages: {
        '': { devDependencies: { vite: '1.0.0', vitest: '1.0.0' } },
        'node_modules/vite': { version: '1.0.0', dev: true },
        'node_modules/vitest': { version: '1.0.0', dev: true },
      },
    }),
  )
  const placed = async () => {
    const record = await readFile(path.join(checkout, 'node_modules/.package-lock.json'), 'utf8')
    return Object.keys((JSON.parse(record) as { packages: object }).packages).slice(1)
  }
  await writeFile(
    path.join(checkout, 'npm/npm-cli.js'),
    SLOW_NPM.replaceAll("'npm.log'", 'process.env.NPM_LOG').replace('process.exit()', 'process.exit(0)'),
  )
  const env = { npm_execpath: path.join(checkout, 'npm/npm-cli.js'), NPM_LOG: path.join(checkout, 'npm.log') }
  const begin = startNode(
    [
      '--input-type=module',
      '-e',
      "const { setUp } = await import('./server/ops/cli/setup.mjs'); await setUp({ isBuildWanted: false, need: 'build' })",
    ],
    { cwd: checkout, env },
  )
  await begin.says(NPM_BEGAN)
  await writeFile(path.join(checkout, '.cache/install/go'), '')
  expect(await begin.ending).toMatchObject({ code: 0 })
  expect(await placed()).toEqual(['node_modules/vite'])

  await letNpmGoOn()
  expect(await startNode(['server/ops/cli/setup.mjs'], { cwd: checkout, env }).ending).toMatchObject({
    code: 0,
  })
  expect(await placed()).toEqual(['node_modules/vite', 'node_modules/vitest'])
  expect(await installs()).toEqual([
    'ci --include=dev --include=optional',
    'install --no-save --include=dev --include=optional',
  ])
})

test('a second set-up waits for the first and does not install again', async () => {
  const first = setUp()
  await first.says(NPM_BEGAN)
  const second = setUp()
  await second.says(/Outra preparação está em curso/)
  await letNpmGoOn()
  expect(await first.ending).toMatchObject({ code: 0 })
  expect(await second.ending).toMatchObject({ code: 0, errors: '' })
  expect(await installs()).toHaveLength(1)
})

test('an interrupted one leaves nothing in the way', async () => {
  const first = setUp()
  await first.says(NPM_BEGAN)
  expect(await first.kill('SIGTERM')).toMatchObject({ code: 143, errors: 'npm began\n' })
  await letNpmGoOn()
  expect(await setUp().ending).toMatchObject({ code: 0, output: 'Instalando as dependências (npm ci)…\n' })
})

test('the lock of a killed one is taken over at once', async () => {
  const first = setUp()
  await first.says(NPM_BEGAN)
  const killed = first.kill('SIGKILL')
  // npm continues without the killed set-up, until it is finished.
  await letNpmGoOn()
  await killed
  await rm(path.join(checkout, 'node_modules'), { recursive: true })
  expect(await setUp().ending).toMatchObject({ code: 0, output: 'Instalando as dependências (npm ci)…\n' })
})

test('a lock from another machine is taken over once it is old', async () => {
  const lock = path.join(checkout, '.cache/setup.lock')
  await mkdir(path.dirname(lock))
  await writeFile(lock, `1 another-machine`)
  await letNpmGoOn()
  const waiting = setUp()
  await waiting.says(/Outra preparação está em curso/)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lock, longAgo, longAgo)
  expect(await waiting.ending).toMatchObject({ code: 0 })
})

test('an older Node is reported in one line', async () => {
  await writeFile(
    path.join(checkout, 'package.json'),
    JSON.stringify({ type: 'module', engines: { node: '>=99.0.0' } }),
  )
  const { code, output, errors } = await setUp().ending
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toBe(
    `O portal precisa do Node.js >=99.0.0; este é o ${process.versions.node}. Atualize em https://nodejs.org\n`,
  )
})

test('a failed npm ends in one line and exit code 1', async () => {
  await writeFile(path.join(checkout, 'npm/npm-cli.js'), 'process.exit(1)')
  const { code, errors } = await setUp().ending
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'Não foi possível instalar as dependências: veja o erro do npm acima.\n',
  })
})
