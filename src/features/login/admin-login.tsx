// The administrators' login form.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { enter } from '#data/session.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { PasswordField, TextField } from '#ui/forms/field.tsx'
import { OFFLINE, PASSWORD_REQUIRED, USERNAME_REQUIRED } from './texts.ts'

const WRONG_ADMIN = 'Credenciais de administrador inválidas'

type Failure = { field: 'username' | 'password'; text: string } | null

type AdminLoginProps = {
  /** Tells why the form asks for the password again. */
  reason: string | null
  onCodeAsked: () => void
}

/** After success the session changes, and the routes' guards open the administrator's first page. */
export function AdminLogin({ reason, onCodeAsked }: AdminLoginProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>(
    reason === null ? null : { field: 'password', text: reason },
  )
  const isOnline = useIsOnline()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !isOnline) return
    if (!username.trim()) return setFailure({ field: 'username', text: USERNAME_REQUIRED })
    if (!password) return setFailure({ field: 'password', text: PASSWORD_REQUIRED })
    setBusy(true)
    try {
      if ((await enter('admin', username.trim(), password)) === 'code') return onCodeAsked()
    } catch (error) {
      setBusy(false)
      setPassword('')
      setFailure({ field: 'password', text: textOf(error) })
    }
  }

  const errorOf = (field: 'username' | 'password') => failure?.field === field && failure.text
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label="Usuário Administrador"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={username}
        onChange={(event) => {
          setUsername(event.target.value)
          setFailure(null)
        }}
        error={errorOf('username')}
      />
      <PasswordField
        label="Senha"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setFailure(null)
        }}
        error={errorOf('password')}
      />
      <div className="mt-2 flex flex-col gap-3">
        <Button type="submit" size="large" disabled={!isOnline} busy={isBusy && 'Entrando...'}>
          Entrar como Administrador
        </Button>
        {!isOnline && <output className="text-center text-13 text-text-3">{OFFLINE}</output>}
      </div>
    </form>
  )
}

function textOf(error: unknown): string {
  if (!(error instanceof PortalError)) return WRONG_ADMIN
  if (error.status === 0) return OFFLINE
  return error.code === 'login.invalid-credentials' ? WRONG_ADMIN : error.message
}
