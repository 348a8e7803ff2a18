// An operator's commands: service tokens, and resetting an administrator.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD, call, signIn, startPortal } from '#tests/support/portal.ts'
import { startNode } from '#tests/support/process.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-token-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const command =
  (name: string, env: Record<string, string> = {}) =>
  async (...args: string[]) => {
    const { code, output, errors } = await startNode([`server/ops/cli/${name}.mjs`, ...args], {
      cwd: process.cwd(),
      env: { DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error', ...env },
    }).ending
    return { code, said: (output + errors).trim() }
  }
const run = command('token')

test('a token is made, allows its grants at the portal, is listed, and is refused once revoked', async () => {
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
  // A running portal holds the embedded database exclusively.
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
])('%j is answered with the usage', async (args) => {
  const { code, said } = await run(...args)
  expect([code, said]).toEqual([1, expect.stringContaining('npm run token -- --service NOME')])
})

test('the only administrator lost the password: a link from the machine, valid once, gives access again', async () => {
  const admin = command('admin', { PUBLIC_URL: 'https://portal.example.com' })
  const portal = await startPortal(dataDir)
  const before = await signIn(portal.origin, 'admin@admin.local', ADMIN_PASSWORD)
  // The command changes nothing while a portal is running.
  expect(await admin('--reset', 'admin')).toEqual({
    code: 1,
    said: expect.stringContaining('já está em uso'),
  })
  expect((await call(`${portal.origin}/api/admins`, { token: before })).status).toBe(200)
  await portal.process.kill('SIGTERM')

  expect(await admin('--list')).toEqual({ code: 0, said: `Administradores em ${dataDir}:\n  admin` })
  expect(await admin('--reset', 'vera')).toEqual({
    code: 1,
    said: 'Nenhum administrador se chama vera. Há: admin.',
  })
  const { code, said } = await admin('--reset', 'Admin')
  expect(code).toBe(0)
  const [, invite = ''] =
    /^https:\/\/portal\.example\.com\/panel\?usuario=admin&convite=([\w-]{43})$/m.exec(said) ?? []
  expect(said.endsWith(invite)).toBe(true)
  expect((await admin('--list')).said).toContain('  admin, ainda sem senha')

  const { origin, process: again } = await startPortal(dataDir)
  const set = (password: string) =>
    call(`${origin}/api/login/first-access`, { body: { role: 'admin', username: 'admin', password, invite } })
  expect((await call(`${origin}/api/admins`, { token: before })).status).toBe(401)
  await expect(signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)).rejects.toThrow('answered 400')
  expect((await set('senha-nova-dela')).status).toBe(200)
  expect((await set('senha-de-outro')).status).toBe(403)
  const token = await signIn(origin, 'admin@admin.local', 'senha-nova-dela')
  expect((await call(`${origin}/api/admins`, { token })).status).toBe(200)
  await again.kill('SIGTERM')
}, 180_000)

test.each([
  [[]],
  [['--reset']],
  [['--reset', ' ']],
  [['--list', '--reset', 'admin']],
  [['--remove', 'admin']],
])('admin %j is answered with the usage', async (args) => {
  const { code, said } = await command('admin')(...args)
  expect([code, said]).toEqual([1, expect.stringContaining('npm run admin -- --reset NOME')])
})

test("push keys are replaced only by the operator's command", async () => {
  const keys = command('push-keys')
  for (const args of [[], ['--list'], ['renew']])
    expect(await keys(...args)).toEqual({
      code: 1,
      said: expect.stringContaining('npm run push-keys -- --renew'),
    })
  const { code, said } = await keys('--renew')
  expect([code, said]).toEqual([
    0,
    expect.stringContaining(`As chaves dos avisos (em ${dataDir}) foram esquecidas, e com elas 0 aparelhos.`),
  ])
}, 60_000)
