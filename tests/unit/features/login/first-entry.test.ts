// An administrator's first password, when responses may be lost.
import { beforeEach, expect, it, vi } from 'vitest'
import { PortalError } from '#domain/errors.ts'
import { createFirstEntry } from '#features/login/first-entry.ts'

type Call = () => Promise<unknown>

const { setFirstPassword, enter } = vi.hoisted(() => ({
  setFirstPassword: vi.fn<Call>(),
  enter: vi.fn<Call>(),
}))
vi.mock('#data/session.ts', () => ({ setFirstPassword, enter }))

const ACCESS = { username: 'ana', password: 'senha-de-teste', invite: 'convite' }
const lost = () => new PortalError('network.offline', 'Sem conexão', { status: 0 })
const closed = () => new PortalError('first-access.closed', 'Este convite não vale mais.', { status: 403 })
const wrong = () => new PortalError('login.invalid-credentials', 'Credenciais inválidas', { status: 400 })

beforeEach(() => {
  setFirstPassword.mockReset().mockResolvedValue(undefined)
  enter.mockReset().mockResolvedValue('in')
})

it('after the password is set, a retry only signs in', async () => {
  const entry = createFirstEntry()
  enter.mockRejectedValueOnce(lost())
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'network.offline' })
  await expect(entry(ACCESS)).resolves.toBe('in')
  expect(setFirstPassword).toHaveBeenCalledTimes(1)
  expect(enter).toHaveBeenLastCalledWith('admin', 'ana', 'senha-de-teste')
})

it('signs in although the response to setting it was lost', async () => {
  const entry = createFirstEntry()
  setFirstPassword.mockRejectedValueOnce(lost()).mockRejectedValueOnce(closed())
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'network.offline' })
  expect(enter).not.toHaveBeenCalled()
  await expect(entry(ACCESS)).resolves.toBe('in')
})

it('reports a used link if the password differs, and the real reason if signing in failed otherwise', async () => {
  setFirstPassword.mockRejectedValue(closed())
  enter.mockRejectedValueOnce(wrong()).mockRejectedValueOnce(lost()).mockResolvedValueOnce('code')
  const entry = createFirstEntry()
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'first-access.closed' })
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'network.offline' })
  await expect(entry(ACCESS)).resolves.toBe('code')
})

it('leaves a refused password to the user', async () => {
  setFirstPassword.mockRejectedValueOnce(new PortalError('weak_password', 'Senha curta', { status: 422 }))
  await expect(createFirstEntry()(ACCESS)).rejects.toMatchObject({ code: 'weak_password' })
  expect(enter).not.toHaveBeenCalled()
})
