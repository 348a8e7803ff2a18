// Finds a Chromium for the browser tests: the configured one, else an installed one, else Playwright's, else Debian's
// package.
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { inRoot, run, say, Stop } from '#server/ops/cli/root.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const ANSWER_MS = 20_000

/** It also runs as root and in containers, and makes no requests except to the portal. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** An existing Chromium, without an installation: the configured one, or a found one. */
export async function findChromium() {
  return process.env['CHROMIUM_PATH'] ?? (await findInSystem()) ?? (await findPlaywrights())
}

/** Its path, installing one if there is none. Stops if that fails. */
export async function ensureChromium() {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (await works(named)) return named
    throw new Stop(`CHROMIUM_PATH aponta para ${named}, que não é um Chromium que funcione.`)
  }
  const found = (await findInSystem()) ?? (await findPlaywrights())
  if (found) return found

  if (process.getuid?.() === 0) {
    say('Instalando o Chromium do sistema (apt-get)…')
    const installed = (await installDebians()) ? await findInSystem() : null
    if (installed) return installed
  }
  say('Baixando o Chromium do Playwright…')
  await run(process.execPath, [inRoot('node_modules/@playwright/test/cli.js'), 'install', 'chromium'])
  const downloaded = await findPlaywrights()
  if (downloaded) return downloaded
  throw new Stop(
    'Os testes de navegador precisam de um Chromium e não foi possível instalar nenhum: instale-o e informe CHROMIUM_PATH.',
  )
}

async function findInSystem() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PLACES]
  for (const candidate of candidates) if (await works(candidate)) return candidate
  return null
}

/** Imported here, because Playwright exists only after the packages are installed. */
async function findPlaywrights() {
  const { chromium } = await import('@playwright/test')
  const file = chromium.executablePath()
  return (await works(file)) ? file : null
}

/**
 * A file with that name may be a stub that asks for an installation, so it must print its version.
 * @param {string} file
 */
async function works(file) {
  try {
    await access(file, constants.X_OK)
    await promisify(execFile)(file, ['--version'], { timeout: ANSWER_MS })
    return true
  } catch {
    return false
  }
}

async function installDebians() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (/** @type {string[]} */ ...args) =>
    run('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], { env })
  return (
    (await aptGet('update')) === 0 &&
    (await aptGet('install', '-y', '--no-install-recommends', 'chromium')) === 0
  )
}
