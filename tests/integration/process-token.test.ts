// Service tokens as an operator makes, lists and revokes them (PRODUCT.md 3), and what a running portal makes of one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startPortal } from '#tests/support/portal.ts'
import { startNode } from '#tests/support/process.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-token-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

async function run(...args: string[]) {
  const { code, output, errors } = await startNode(['server/cli/token.mjs', ...args], {
    cwd: process.cwd(),
    env: { DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error' },
  }).ending
  return { code, said: (output + errors).trim() }
}

test('a token is made, opens what it names at the portal, is listed, and is refused once revoked', async () => {
  expect(await run('--list')).toEqual({ code: 0, said: 'Nenhum token de serviço.' })
  const { code, said } = await run('--service', 'n8n do Mirante', '--grants', 'prompts:read', '--days', '30')
  expect(code).toBe(0)
  expect(said).toMatch(/^Token de n8n do Mirante \([\w-]{36}\): prompts:read; vale até \d\d\/\d\d\/\d{4}\n/)
  const token = said.split('\n').at(-1) ?? ''

  const ask = async () => {
    const portal = await startPortal(dataDir)
    const { status } = await call(`${portal.origin}/rest/v1/rpc/get_prompts_agents`, { token, body: {} })
    const inUse = await run('--list')
    await portal.process.kill('SIGTERM')
    return { status, inUse }
  }
  const { status, inUse } = await ask()
  expect(status).toBe(200)
  // The embedded database is the running portal's alone.
  expect(inUse).toEqual({ code: 1, said: expect.stringContaining('já está em uso') })

  expect((await run('--revoke', 'n8n do Mirante')).said).toBe('O token foi revogado.')
  expect((await run('--list')).said).toMatch(/^n8n do Mirante \(.+\): prompts:read; revogado em /)
  expect(await run('--revoke', 'n8n do Mirante')).toEqual({
    code: 1,
    said: 'Nenhum token de serviço em uso se chama n8n do Mirante.',
  })
  expect((await ask()).status).toBe(401)
}, 180_000)

test.each([
  [[]],
  [['--service', ' ']],
  [['--service', 'x', '--grants', 'tudo']],
  [['--list', '--revoke', 'x']],
])('%j is answered with how it is used', async (args) => {
  const { code, said } = await run(...args)
  expect([code, said]).toEqual([1, expect.stringContaining('npm run token -- --service NOME')])
})
