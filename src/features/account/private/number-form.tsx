// 'Marcar um número': marks a person as private who has not written yet. The name stays on this device.
import { type SubmitEvent, useState } from 'react'
import { markNumber } from '#data/private.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { HintedField } from '#ui/forms/hinted-field.tsx'
import { useFirstFocus } from '#ui/forms/use-first-focus.ts'
import { Button } from '#ui/primitives/button.tsx'
import { CANCEL } from '#ui/texts.ts'

const MAX_NAME = 200

export function NumberForm({ instanceName, onEnd }: { instanceName: string; onEnd: () => void }) {
  const [number, setNumber] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const first = useFirstFocus()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { numbers, fault } = await readTyped(number)
    const [read] = numbers
    if (read === undefined)
      return setError(fault === 'area' ? 'Falta o DDD.' : 'Este número não parece de WhatsApp.')
    try {
      await markNumber({ number: read, name, instanceName })
      onEnd()
      toast('Número marcado como particular', 'success')
    } catch {
      toast('Não foi possível marcar. Tente de novo.', 'error')
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        ref={first}
        label="Número com DDD"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        value={number}
        error={error}
        onChange={({ target }) => {
          setError(undefined)
          setNumber(target.value)
        }}
      />
      <HintedField
        label="Nome"
        hint="Fica só neste aparelho."
        autoComplete="off"
        autoCapitalize="words"
        maxLength={MAX_NAME}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <div className="flex flex-col gap-2.5">
        <Button type="submit" size="large">
          Marcar como particular
        </Button>
        <Button variant="quiet" size="large" onClick={onEnd}>
          {CANCEL}
        </Button>
      </div>
    </form>
  )
}
