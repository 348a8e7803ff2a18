// The steps of the broker login and every text it may show.
import { describe, expect, it } from 'vitest'
import { PortalError } from '#domain/errors.ts'
import { type LoginEvent, type LoginState, reduceLogin, startLogin } from '#features/login/login-steps.ts'

const run = (events: LoginEvent[], start: LoginState = startLogin({})) => events.reduce(reduceLogin, start)
const type = (field: 'username' | 'password' | 'confirmation', value: string): LoginEvent => ({
  type: 'typed',
  field,
  value,
})
const submit: LoginEvent = { type: 'submitted' }
const found = (hasPassword: boolean): LoginEvent => ({ type: 'found', exists: true, hasPassword })
const failed = (error: unknown): LoginEvent => ({ type: 'failed', error })

const atPassword = run([type('username', 'camila'), submit, found(true)])
const atNewPassword = run([type('username', 'novato'), submit, found(false)])

describe('step 1', () => {
  it('requires a username before sending', () => {
    expect(run([type('username', '   '), submit])).toMatchObject({
      step: 'username',
      isBusy: false,
      error: { field: 'username', text: 'Digite seu usuário.' },
    })
  })

  it('is busy while the username is looked up', () => {
    expect(run([type('username', 'camila'), submit])).toMatchObject({ isBusy: true, error: null })
  })

  it("answers an unknown username with 'Usuário incorreto' and clears it", () => {
    const state = run([
      type('username', 'ninguem'),
      submit,
      { type: 'found', exists: false, hasPassword: false },
    ])
    expect(state).toMatchObject({
      step: 'username',
      username: '',
      isBusy: false,
      error: { field: 'username', text: 'Usuário incorreto' },
    })
  })

  it('continues to the password, or to a new one if there is none', () => {
    expect(atPassword).toMatchObject({ step: 'password', isBusy: false, username: 'camila' })
    expect(atNewPassword).toMatchObject({ step: 'new-password', isBusy: false, username: 'novato' })
  })

  it('accepts the username as phones capitalise it', () => {
    expect(run([type('username', ' Camila '), submit, found(true)]).username).toBe('camila')
  })
})

describe('step 2a', () => {
  it('requires the password before sending', () => {
    expect(run([submit], atPassword).error).toEqual({ field: 'password', text: 'Digite sua senha.' })
  })

  it("answers a wrong password with 'Senha incorreta' and clears it", () => {
    const wrong = new PortalError('login.invalid-credentials', 'Credenciais inválidas')
    expect(run([type('password', 'errada'), submit, failed(wrong)], atPassword)).toMatchObject({
      step: 'password',
      password: '',
      isBusy: false,
      error: { field: 'password', text: 'Senha incorreta' },
    })
  })

  it("'Voltar' returns to step 1 and clears password and error", () => {
    const wrong = new PortalError('login.invalid-credentials', 'Credenciais inválidas')
    const state = run(
      [type('password', 'x'), submit, failed(wrong), type('password', 'y'), { type: 'back' }],
      atPassword,
    )
    expect(state).toMatchObject({ step: 'username', password: '', error: null })
  })
})

describe('step 2b', () => {
  it("refuses two passwords that differ: 'As senhas não coincidem'", () => {
    const state = run(
      [type('password', 'segredo-1'), type('confirmation', 'segredo-2'), submit],
      atNewPassword,
    )
    expect(state).toMatchObject({
      isBusy: false,
      error: { field: 'confirmation', text: 'As senhas não coincidem' },
    })
  })

  it('requires a password before comparing', () => {
    expect(run([submit], atNewPassword).error).toEqual({ field: 'password', text: 'Digite a nova senha.' })
  })

  it('sends two equal ones', () => {
    expect(
      run([type('password', 'segredo-1'), type('confirmation', 'segredo-1'), submit], atNewPassword),
    ).toMatchObject({
      isBusy: true,
      error: null,
    })
  })

  it("answers a failure with 'Erro ao definir a senha' and the server's reason", () => {
    const refused = new PortalError('login.invite-expired', 'Este convite venceu.', { status: 403 })
    const sent = [type('password', 'a'), type('confirmation', 'a'), submit]
    expect(run([...sent, failed(refused)], atNewPassword).error).toEqual({
      field: 'password',
      text: 'Erro ao definir a senha',
      reason: 'Este convite venceu.',
    })
    expect(run([...sent, failed(new TypeError('x is undefined'))], atNewPassword).error).toEqual({
      field: 'password',
      text: 'Erro ao definir a senha',
    })
  })
})

describe('an invitation link', () => {
  it('opens the new-password step of its broker and keeps the code', () => {
    expect(startLogin({ username: 'novato', invite: 'abc' })).toMatchObject({
      step: 'new-password',
      username: 'novato',
      invite: 'abc',
    })
  })

  it('if used, asks for the existing password', () => {
    const used = new PortalError('first-access.done', 'Este usuário já tem senha. Entre com ela.', {
      status: 409,
    })
    const state = run(
      [type('password', 'a'), type('confirmation', 'a'), submit, failed(used)],
      startLogin({ username: 'novato', invite: 'abc' }),
    )
    expect(state).toMatchObject({
      step: 'password',
      username: 'novato',
      password: '',
      isBusy: false,
      error: { field: 'password', text: 'Este usuário já tem senha. Entre com ela.' },
    })
  })

  it.each([{ invite: 'abc' }, { username: 'novato' }, {}])('%o begins at step 1', (link) => {
    expect(startLogin(link)).toMatchObject({ step: 'username', invite: null })
  })
})

describe.each([
  { name: 'step 1', state: run([type('username', 'camila'), submit]), plain: 'Erro ao verificar senha' },
  {
    name: 'step 2a',
    state: run([type('password', 'x'), submit], atPassword),
    plain: 'Erro ao verificar senha',
  },
  {
    name: 'step 2b',
    state: run([type('password', 'x'), type('confirmation', 'x'), submit], atNewPassword),
    plain: 'Erro ao definir a senha',
  },
])('at $name', ({ state, plain }) => {
  it('a sign-in error says that a network is needed', () => {
    const offline = new PortalError('network.offline', 'Sem conexão.', { status: 0 })
    expect(run([failed(offline)], state).error?.text).toBe('Você precisa de internet para entrar.')
  })

  it('a throttled sign-in says how long to wait', () => {
    const throttled = new PortalError('request.throttled', 'Muitas tentativas. Tente de novo em 2 minutos.', {
      status: 429,
    })
    expect(run([failed(throttled)], state)).toMatchObject({
      isBusy: false,
      error: { text: throttled.message },
    })
  })

  it('a server failure is reported as such', () => {
    const broken = new PortalError('server.failed', 'O servidor não respondeu.', { status: 500 })
    expect(run([failed(broken)], state).error).toMatchObject({
      text: plain,
      reason: 'O servidor não respondeu.',
    })
  })

  it('clears the error on typing', () => {
    expect(run([failed(new Error('x')), type('password', 'y')], state).error).toBeNull()
  })
})
