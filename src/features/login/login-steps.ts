// The broker login as a pure reducer: username, then password or new password.
import { PortalError } from '#domain/errors.ts'
import {
  MISMATCH,
  NEW_PASSWORD_REQUIRED,
  OFFLINE,
  PASSWORD_REQUIRED,
  SET_PASSWORD_FAILED,
  UNKNOWN_USERNAME,
  USERNAME_REQUIRED,
  WRONG_PASSWORD,
} from './texts.ts'

const LOOKUP_FAILED = 'Erro ao verificar senha'

export type Step = 'username' | 'password' | 'new-password'

type Field = 'username' | 'password' | 'confirmation'

/** `field` is where the error is shown and the focus goes; `reason` is the server's error code. */
type LoginError = { field: Field; text: string; reason?: string }

export type LoginState = {
  step: Step
  username: string
  password: string
  confirmation: string
  /** The one-time code in an invitation link. */
  invite: string | null
  isBusy: boolean
  error: LoginError | null
}

export type LoginEvent =
  | { type: 'typed'; field: Field; value: string }
  | { type: 'submitted' }
  | { type: 'found'; exists: boolean; hasPassword: boolean }
  | { type: 'failed'; error: unknown }
  | { type: 'back' }

/** Returns the first state. An invitation link contains the username, so the form starts with the new password. */
export function startLogin(link: { username?: string | undefined; invite?: string | undefined }): LoginState {
  const isInvited = Boolean(link.invite && link.username)
  return {
    step: isInvited ? 'new-password' : 'username',
    username: link.username ?? '',
    password: '',
    confirmation: '',
    invite: isInvited ? (link.invite ?? null) : null,
    isBusy: false,
    error: null,
  }
}

const FAILURE = {
  username: LOOKUP_FAILED,
  password: LOOKUP_FAILED,
  'new-password': SET_PASSWORD_FAILED,
} satisfies Record<Step, string>

/** Returns the username in lower case, because phones write the first letter as a capital. */
export function usernameOf({ username }: LoginState): string {
  return username.trim().toLowerCase()
}

/** Tells what the user still has to fill in. Null if the form may be sent. */
function lackOf(state: LoginState): LoginError | null {
  const { step, password, confirmation } = state
  if (step === 'username') return usernameOf(state) ? null : { field: 'username', text: USERNAME_REQUIRED }
  if (!password)
    return { field: 'password', text: step === 'password' ? PASSWORD_REQUIRED : NEW_PASSWORD_REQUIRED }
  if (step === 'password' || password === confirmation) return null
  return { field: 'confirmation', text: MISMATCH }
}

export function reduceLogin(state: LoginState, event: LoginEvent): LoginState {
  switch (event.type) {
    case 'typed':
      return { ...state, [event.field]: event.value, error: null }
    case 'submitted': {
      const error = lackOf(state)
      return { ...state, isBusy: error === null, error }
    }
    case 'found':
      if (!event.exists) return { ...refuse(state, UNKNOWN_USERNAME), username: '' }
      return {
        ...state,
        isBusy: false,
        username: usernameOf(state),
        step: event.hasPassword ? 'password' : 'new-password',
      }
    case 'failed':
      return fail(state, event.error)
    default:
      return startLogin({ username: state.username })
  }
}

function refuse(state: LoginState, text: string, reason?: string): LoginState {
  const field = state.step === 'username' ? 'username' : 'password'
  return { ...state, isBusy: false, error: { field, text, ...(reason && { reason }) } }
}

function fail(state: LoginState, error: unknown): LoginState {
  if (!(error instanceof PortalError)) return refuse(state, FAILURE[state.step])
  if (error.status === 0) return refuse(state, OFFLINE)
  if (error.status === 429) return refuse(state, error.message)
  if (error.code === 'login.invalid-credentials') return { ...refuse(state, WRONG_PASSWORD), password: '' }
  // Somebody has used the link already, so the form asks for the password that was set then.
  if (error.code === 'first-access.done')
    return { ...refuse({ ...state, step: 'password' }, error.message), password: '' }
  return refuse(state, FAILURE[state.step], error.message)
}
