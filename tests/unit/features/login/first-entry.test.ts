// An administrator's first password, whose answer may be lost on the way.
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

it('only enters once the password is set', async () => {
  const entry = createFirstEntry()
  enter.mockRejectedValueOnce(lost())
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'network.offline' })
  await expect(entry(ACCESS)).resolves.toBe('in')
  expect(setFirstPassword).toHaveBeenCalledTimes(1)
  expect(enter).toHaveBeenLastCalledWith('admin', 'ana', 'senha-de-teste')
})

it('enters though the answer that it is set was lost', async () => {
  const entry = createFirstEntry()
  setFirstPassword.mockRejectedValueOnce(lost()).mockRejectedValueOnce(closed())
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'network.offline' })
  expect(enter).not.toHaveBeenCalled()
  await expect(entry(ACCESS)).resolves.toBe('in')
})

it('says that the link is used up where the password is another, and why where entering failed otherwise', async () => {
  setFirstPassword.mockRejectedValue(closed())
  enter.mockRejectedValueOnce(wrong()).mockRejectedValueOnce(lost()).mockResolvedValueOnce('code')
  const entry = createFirstEntry()
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'first-access.closed' })
  await expect(entry(ACCESS)).rejects.toMatchObject({ code: 'network.offline' })
  await expect(entry(ACCESS)).resolves.toBe('code')
})

it('leaves a refused password to the person', async () => {
  setFirstPassword.mockRejectedValueOnce(new PortalError('weak_password', 'Senha curta', { status: 422 }))
  await expect(createFirstEntry()(ACCESS)).rejects.toMatchObject({ code: 'weak_password' })
  expect(enter).not.toHaveBeenCalled()
})
