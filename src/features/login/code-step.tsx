// The second factor of an administrator's sign-in: a code of the authenticator app, or a recovery code.
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { enterWithCode, leaveHalfWay } from './data.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { BACK } from '#ui/texts.ts'
import { OFFLINE, SESSION_OVER } from './texts.ts'

/**
 * After success the session changes, and the routes' guards open the first page. `onBack` gets the reason why the user
 * has to type the password again.
 */
export function CodeStep({ onBack }: { onBack: (reason: string | null) => void }) {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isOnline = useIsOnline()
  const hintId = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (failure !== null) field.current?.focus()
  }, [failure])

  const leave = (reason: string | null) => {
    void leaveHalfWay()
    onBack(reason)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !isOnline) return
    if (!code.trim()) return setFailure('Digite o código.')
    setBusy(true)
    try {
      await enterWithCode(code)
    } catch (error) {
      setBusy(false)
      setCode('')
      if (error instanceof PortalError && error.code === 'session_not_found') return leave(SESSION_OVER)
      setFailure(
        error instanceof PortalError ? error.message : 'Não foi possível verificar o código. Tente de novo.',
      )
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p id={hintId} className="leading-body text-text-2">
        Digite o código de 6 dígitos do seu aplicativo autenticador. Sem ele, use um código de recuperação.
      </p>
      <TextField
        ref={field}
        label="Código de verificação"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        aria-describedby={hintId}
        value={code}
        onChange={({ target }) => {
          setCode(target.value)
          setFailure(null)
        }}
        error={failure}
      />
      <Button type="submit" size="large" disabled={!isOnline} busy={isBusy && 'Verificando...'}>
        Verificar
      </Button>
      {!isOnline && <output className="text-center text-13 text-text-3">{OFFLINE}</output>}
      <Button variant="ghost" onClick={() => leave(null)}>
        {BACK}
      </Button>
    </form>
  )
}
