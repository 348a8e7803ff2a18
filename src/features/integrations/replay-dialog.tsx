// 'Enviar um período de novo': sends the events of a period again, with their original ids.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toast } from '#ui/feedback/toast.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { type Hook, replayEvents } from './data.ts'
import { REPLAY, REPLAY_SPAN, replayed } from './texts.ts'

type ReplayProps = { hook: Hook; isOpen: boolean; onClose: () => void }

export function ReplayDialog({ hook, isOpen, onClose }: ReplayProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={REPLAY_SPAN}>
      <ReplayForm hook={hook} onClose={onClose} />
    </Dialog>
  )
}

function ReplayForm({ hook, onClose }: Omit<ReplayProps, 'isOpen'>) {
  const [span, setSpan] = useState({ from: '', to: '' })
  const [isTried, setTried] = useState(false)
  const { mutate, isPending, error } = useMutation({
    ...replayEvents(hook.id),
    onSuccess: (count) => {
      toast(replayed(count, hook.state === 'active'), count === 0 ? 'info' : 'success')
      onClose()
    },
  })
  const fromMs = Date.parse(span.from)
  const toMs = Date.parse(span.to)
  const isSpan = fromMs < toMs
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isSpan && !isPending)
      mutate({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <p className="leading-body text-text-2">
        Cada aviso vai com o mesmo número de antes: o outro sistema reconhece os repetidos.
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(12rem,1fr))] gap-3">
        <TextField
          type="datetime-local"
          label="De"
          value={span.from}
          onChange={({ target }) => setSpan({ ...span, from: target.value })}
        />
        <TextField
          type="datetime-local"
          label="Até"
          value={span.to}
          error={isTried && !isSpan ? 'O fim precisa vir depois do começo.' : error?.message}
          onChange={({ target }) => setSpan({ ...span, to: target.value })}
        />
      </div>
      <FormActions onCancel={onClose}>
        <Button type="submit" busy={isPending && 'Enviando...'}>
          {REPLAY}
        </Button>
      </FormActions>
    </form>
  )
}
