// The brokers' login form, in two steps.
import { type ChangeEvent, type FormEvent, useEffect, useReducer, useRef } from 'react'
import { User } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { enter, lookUpBroker, setFirstPassword } from '#data/session.ts'
import { Button } from '#ui/primitives/button.tsx'
import { PasswordField, TextField } from '#ui/forms/field.tsx'
import { BACK } from '#ui/texts.ts'
import { KnownUsername } from './known-username.tsx'
import {
  type LoginEvent,
  type LoginState,
  reduceLogin,
  startLogin,
  type Step,
  usernameOf,
} from './login-steps.ts'
import { OFFLINE } from './texts.ts'

const ACTION = {
  username: { label: 'Continuar', busy: 'Verificando...' },
  password: { label: 'Entrar', busy: 'Entrando...' },
  'new-password': { label: 'Definir nova senha', busy: 'Definindo senha...' },
} satisfies Record<Step, { label: string; busy: string }>

const FIRST_FIELD = {
  username: '[name="username"]',
  password: '[name="password"]',
  'new-password': '[name="new-password"]',
} satisfies Record<Step, string>

function focusIn(form: HTMLFormElement | null, selector: string) {
  form?.querySelector<HTMLInputElement>(selector)?.focus()
}

type BrokerLoginProps = { link: { username?: string | undefined; invite?: string | undefined } }

/** After success the session changes, and the routes' guards open the board. */
export function BrokerLogin({ link }: BrokerLoginProps) {
  const [state, dispatch] = useReducer(reduceLogin, link, startLogin)
  const isOnline = useIsOnline()
  const form = useRef<HTMLFormElement>(null)
  const { step, isBusy, error } = state

  useEffect(() => focusIn(form.current, FIRST_FIELD[step]), [step])
  useEffect(() => {
    if (error) focusIn(form.current, '[aria-invalid="true"]')
  }, [error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !isOnline) return
    dispatch({ type: 'submitted' })
    if (reduceLogin(state, { type: 'submitted' }).isBusy) void send(state, dispatch)
  }

  const { label, busy } = ACTION[step]
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Fields state={state} dispatch={dispatch} />
      <Button type="submit" size="large" disabled={!isOnline} busy={isBusy && busy}>
        {label}
      </Button>
      {!isOnline && <output className="text-center text-13 text-text-3">{OFFLINE}</output>}
      {step !== 'username' && (
        <Button variant="ghost" onClick={() => dispatch({ type: 'back' })}>
          {BACK}
        </Button>
      )}
    </form>
  )
}

async function send(state: LoginState, dispatch: (event: LoginEvent) => void): Promise<void> {
  const { step, password, invite } = state
  const username = usernameOf(state)
  try {
    if (step === 'username') return dispatch({ type: 'found', ...(await lookUpBroker(username)) })
    if (step === 'new-password') await setFirstPassword({ role: 'broker', username, password, invite })
    await enter('broker', username, password)
  } catch (error) {
    dispatch({ type: 'failed', error })
  }
}

type FieldsProps = { state: LoginState; dispatch: (event: LoginEvent) => void }

function Fields({ state, dispatch }: FieldsProps) {
  const bind = (field: 'username' | 'password' | 'confirmation') => ({
    value: state[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      dispatch({ type: 'typed', field, value: event.target.value }),
    error: state.error?.field === field && (
      <>
        {state.error.text}
        {state.error.reason && <span className="block">{state.error.reason}</span>}
      </>
    ),
  })
  if (state.step === 'username') {
    return (
      <TextField
        {...bind('username')}
        key="username"

        label="Usuário"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        icon={User}
      />
    )
  }
  if (state.step === 'password') {
    return (
      <>
        <KnownUsername username={state.username} />
        <PasswordField
          {...bind('password')}
          key="password"
          label="Senha"
          name="password"
          autoComplete="current-password"
          enterKeyHint="go"
        />
      </>
    )
  }
  return (
    <>
      <KnownUsername username={state.username} />
      <PasswordField
        {...bind('password')}
        key="new-password"
        label="Nova senha"
        name="new-password"
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <PasswordField
        {...bind('confirmation')}
        key="confirmation"
        label="Confirme a nova senha"
        name="confirm-password"
        autoComplete="new-password"
        enterKeyHint="go"
      />
    </>
  )
}
