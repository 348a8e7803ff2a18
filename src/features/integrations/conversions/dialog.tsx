// The dialog of one target at Meta: its ids, token, event names, and the stage from which on a lead is qualified.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { stagesQuery } from '#data/board/stage-changes.ts'
import { toast } from '#ui/feedback/toast.ts'
import { PasswordField, TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { CANCEL, SAVE, SAVING } from '#ui/texts.ts'
import { saveTarget, type Target, type TargetIntent } from './data.ts'
import { STEP, WAY } from './texts.ts'

const STEPS = ['qualified', 'visit', 'sale'] as const

export function TargetDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const [intent, setIntent] = useState<TargetIntent>({
    target: target.target,
    isOn: target.state === 'on',
    dataset: target.dataset,
    waba: target.waba,
    names: target.names,
    stage: target.stage,
    testCode: target.testCode,
    token: '',
  })
  const save = useMutation({
    ...saveTarget(),
    onSuccess: () => {
      toast(intent.isOn ? 'Envio ligado.' : 'Guardado, desligado.', 'success')
      onClose()
    },
  })
  const change = (next: Partial<TargetIntent>) => {
    save.reset()
    setIntent({ ...intent, ...next })
  }
  const { name, what } = WAY[target.target]
  return (
    <Dialog isOpen onClose={onClose} title={`Conversões: ${name.charAt(0).toLowerCase()}${name.slice(1)}`}>
      <form
        className="flex flex-col gap-4 px-3 pt-1"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(intent)
        }}
      >
        <p className="text-14 text-text-2">{what}</p>
        <Switch label="Enviar à Meta" isOn={intent.isOn} onChange={(isOn) => change({ isOn })} />
        <TextField
          label="Id do conjunto de dados"
          inputMode="numeric"
          maxLength={40}
          value={intent.dataset}
          onChange={({ target: { value } }) => change({ dataset: value })}
        />
        {target.target === 'messaging' && (
          <TextField
            label="Id da conta do WhatsApp (WABA)"
            inputMode="numeric"
            maxLength={40}
            value={intent.waba}
            onChange={({ target: { value } }) => change({ waba: value })}
          />
        )}
        <PasswordField
          label={
            target.tokenTail === null
              ? 'Token de acesso'
              : `Novo token (o atual termina em ${target.tokenTail})`
          }
          autoComplete="off"
          maxLength={1_000}
          value={intent.token}
          onChange={({ target: { value } }) => change({ token: value })}
        />
        <StageChoice value={intent.stage} onChange={(stage) => change({ stage })} />
        <Names of={intent} onChange={(names) => change({ names })} />
        <TestCode value={intent.testCode} onChange={(testCode) => change({ testCode })} />
        <p role="alert" className="text-14 text-danger empty:hidden">
          {save.error?.message}
        </p>
        <div className="flex justify-end gap-2 pb-1">
          <Button variant="ghost" onClick={onClose}>
            {CANCEL}
          </Button>
          <Button type="submit" busy={save.isPending && SAVING}>
            {SAVE}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type StageProps = { value: string | null; onChange: (stage: string | null) => void }

function StageChoice({ value, onChange }: StageProps) {
  const { data: stages = [] } = useQuery(stagesQuery())
  return (
    <SelectField
      label="Lead qualificado a partir do estágio"
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
    >
      <option value="">Só quando fecha</option>
      {stages
        .filter(({ kind }) => kind === 'open')
        .map((stage) => (
          <option key={stage.slug} value={stage.slug}>
            {stage.name}
          </option>
        ))}
    </SelectField>
  )
}

type NamesProps = {
  of: Pick<TargetIntent, 'target' | 'names'>
  onChange: (names: TargetIntent['names']) => void
}

function Names({ of: { target, names }, onChange }: NamesProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1 text-14 font-medium">
        Nome de cada evento na Meta{target === 'messaging' && ' (ela só aceita os da lista dela)'}; vazio não
        envia
      </legend>
      {STEPS.map((step) => (
        <TextField
          key={step}
          label={STEP[step]}
          maxLength={50}
          value={names[step]}
          onChange={({ target: { value } }) => onChange({ ...names, [step]: value })}
        />
      ))}
    </fieldset>
  )
}

function TestCode({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const hintId = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label="Código de eventos de teste (opcional)"
        placeholder="TEST12345"
        autoComplete="off"
        maxLength={40}
        value={value}
        aria-describedby={hintId}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={hintId} className="text-13 text-text-3">
        Copie o código de Testar eventos, no Gerenciador de Eventos da Meta: lá se vê cada evento chegar. A
        Meta também conta estes eventos nas medições. Apague o código quando terminar.
      </p>
    </div>
  )
}
