// Starts the built portal on an empty folder, as a newcomer's first start, and tells the stories where it listens.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = path.resolve(import.meta.dirname, '../../dist/server/main.mjs')

export default async function startPortal() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-e2e-'))
  const portal = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Workers start after this and inherit it.
  process.env['E2E_PORTAL_URL'] = await addressOf(portal)
  return async () => {
    portal.kill('SIGTERM')
    await once(portal, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function addressOf(
  portal: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> },
): Promise<string> {
  for await (const line of createInterface(portal.stdout)) {
    const address = /^Portal do Corretor em (\S+)$/.exec(line)?.[1]
    if (address) {
      portal.stdout.resume()
      return address
    }
  }
  throw new Error('the portal ended before it listened')
}
