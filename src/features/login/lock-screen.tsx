// Covers every screen after the session has expired; after signing in, the user continues at the same place.
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { enter, lookUpBroker } from '#data/session.ts'
import { PortalError } from '#domain/errors.ts'
import type { SessionUser } from '#domain/session.ts'
import { AGENCY } from '#ui/primitives/agency.ts'
import { BrandMark } from '#ui/primitives/brand-mark.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { PasswordField } from '#ui/forms/field.tsx'
import { PORTAL, usePageTitle } from '#ui/primitives/page-title.ts'
import { CodeStep } from './code-step.tsx'
import { KnownUsername } from './known-username.tsx'
import { SessionOver } from './session-over.tsx'
import { OFFLINE, PASSWORD_REQUIRED, UNKNOWN_USERNAME, WRONG_PASSWORD } from './texts.ts'

const PLACE = {
  admin: { title: `Painel Administrativo ${AGENCY}`, login: '/panel' },
  broker: { title: PORTAL, login: '/login' },
} as const

export function LockScreen({ user }: { user: SessionUser }) {
  const { title, login } = PLACE[user.role === 'broker' ? 'broker' : 'admin']
  const navigate = useNavigate()
  const [isCodeAsked, setCodeAsked] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  usePageTitle('Entrar')
  return (
    <main className="mx-auto flex min-h-dvh max-w-108 flex-col px-6 pt-[calc(52px+var(--safe-top))] pb-[max(24px,var(--safe-bottom))] md:justify-center">
      <BrandMark className="size-16" />
      <h1 className="mt-9 mb-6 text-32 leading-tight font-title tracking-title">{title}</h1>
      <div className="mb-6">
        <SessionOver />
      </div>
      {isCodeAsked ? (
        <CodeStep
          onBack={(why) => {
            setReason(why)
            setCodeAsked(false)
          }}
        />
      ) : (
        <PasswordForm user={user} reason={reason} onCodeAsked={() => setCodeAsked(true)} />
      )}
      <div className="mt-4 flex flex-col">
        <Button variant="ghost" onClick={() => void navigate({ to: login })}>
          Entrar com outra conta
        </Button>
      </div>
    </main>
  )
}

type PasswordFormProps = { user: SessionUser; reason: string | null; onCodeAsked: () => void }

function PasswordForm({ user, reason, onCodeAsked }: PasswordFormProps) {
  const { role, username } = user
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState(reason)
  const isOnline = useIsOnline()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => focusIn(form.current), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !isOnline) return
    if (!password) {
      setFailure(PASSWORD_REQUIRED)
      return focusIn(form.current)
    }
    setBusy(true)
    try {
      if ((await enter(role, username, password)) === 'code') onCodeAsked()
    } catch (error) {
      const text = await textOf(error, user)
      setBusy(false)
      setPassword('')
      setFailure(text)
      focusIn(form.current)
    }
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <KnownUsername username={username} />
      <PasswordField
        label="Senha"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          setFailure(null)
        }}
        error={failure}
      />
      <Button type="submit" size="large" disabled={!isOnline} busy={isBusy && 'Entrando...'}>
        Entrar
      </Button>
      {!isOnline && <output className="text-center text-13 text-text-3">{OFFLINE}</output>}
    </form>
  )
}

function focusIn(form: HTMLFormElement | null) {
  form?.querySelector<HTMLInputElement>('[name="password"]')?.focus()
}

async function textOf(error: unknown, user: SessionUser): Promise<string> {
  if (!(error instanceof PortalError) || error.code === 'login.invalid-credentials') return whyRefused(user)
  return error.status === 0 ? OFFLINE : error.message
}

/** Finds out why the session ended: after a password reset or a broker's removal, trying again is useless. */
async function whyRefused({ role, username }: SessionUser): Promise<string> {
  const known = role === 'broker' ? await lookUpBroker(username).catch(() => null) : null
  if (!known) return WRONG_PASSWORD
  return known.hasPassword
    ? WRONG_PASSWORD
    : known.exists
      ? 'Sua senha foi resetada. Abra o link de primeiro acesso que o administrador enviou.'
      : UNKNOWN_USERNAME
}
