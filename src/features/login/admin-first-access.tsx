// The page on which a new administrator sets the first password, opened by the one-time link.
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { PasswordField } from '#ui/forms/field.tsx'
import { createFirstEntry } from './first-entry.ts'
import { KnownUsername } from './known-username.tsx'
import { MISMATCH, NEW_PASSWORD_REQUIRED, OFFLINE, SET_PASSWORD_FAILED } from './texts.ts'

type AdminFirstAccessProps = { username: string; invite: string; onCodeAsked: () => void }
type Failure = { field: 'next' | 'again'; text: string } | null

/** After success the session changes, and the routes' guards open the administrator's first page. */
export function AdminFirstAccess({ username, invite, onCodeAsked }: AdminFirstAccessProps) {
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>(null)
  const [enterFirst] = useState(createFirstEntry)
  const isOnline = useIsOnline()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus(), [])
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !isOnline) return
    if (!next) return setFailure({ field: 'next', text: NEW_PASSWORD_REQUIRED })
    if (next !== again) return setFailure({ field: 'again', text: MISMATCH })
    setBusy(true)
    try {
      if ((await enterFirst({ username, password: next, invite })) === 'code') return onCodeAsked()
    } catch (error) {
      setBusy(false)
      setFailure({ field: 'next', text: error instanceof PortalError ? error.message : SET_PASSWORD_FAILED })
    }
  }
  const errorOf = (field: 'next' | 'again') => failure?.field === field && failure.text
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <KnownUsername username={username} />
      <PasswordField
        label="Nova senha"
        name="new-password"
        autoComplete="new-password"
        enterKeyHint="next"
        value={next}
        onChange={({ target }) => {
          setNext(target.value)
          setFailure(null)
        }}
        error={errorOf('next')}
      />
      <PasswordField
        label="Confirme a nova senha"
        name="confirm-password"
        autoComplete="new-password"
        enterKeyHint="go"
        value={again}
        onChange={({ target }) => {
          setAgain(target.value)
          setFailure(null)
        }}
        error={errorOf('again')}
      />
      <Button type="submit" size="large" disabled={!isOnline} busy={isBusy && 'Definindo senha...'}>
        Definir nova senha
      </Button>
      {!isOnline && <output className="text-center text-13 text-text-3">{OFFLINE}</output>}
      <Link
        to="/panel"
        className="inline-flex min-h-11 items-center justify-center rounded-md px-5 text-center font-semibold text-primary hover:bg-surface-2"
      >
        Já tenho senha
      </Link>
    </form>
  )
}
