// Asks for the number of the phone on which the code will be typed.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { toLinkNumber } from './connection-steps.ts'
import { BACK_TO_QR } from './texts.ts'

type NumberFormProps = { onNumber: (number: string) => void; onQr: () => void }

export function NumberForm({ onNumber, onQr }: NumberFormProps) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // The button that opened this form is gone, so the field takes the focus.
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const number = toLinkNumber(typed)
    if (number !== null) return onNumber(number)
    setWrong(true)
    field.current?.focus()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2 pt-2">
      <TextField
        ref={field}
        label="Número do seu WhatsApp, com DDD"
        name="number"
        type="tel"
        autoComplete="tel-national"
        enterKeyHint="go"
        value={typed}
        error={isWrong && 'Informe o número com DDD, por exemplo (11) 95550-0187.'}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
      />
      <div className="mt-3 flex flex-col gap-2">
        <Button type="submit">Gerar código</Button>
        <Button variant="ghost" onClick={onQr}>
          {BACK_TO_QR}
        </Button>
      </div>
    </form>
  )
}
