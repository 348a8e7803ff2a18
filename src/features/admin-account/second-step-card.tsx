// The user's second factor: turn it on with an app, turn it off, renew its recovery codes.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { renewCodes, secondStepQuery, turnOff, turnOn } from './data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { Section } from './section.tsx'
import { SECOND_STEP, TURN_ON } from './texts.ts'
import { TurnOnDialog } from './turn-on-dialog.tsx'

const NEW_CODES = 'Gerar novos códigos'

const codesWords = (count: number) =>
  count === 0
    ? 'Nenhum código de recuperação. Sem eles, perder o celular fecha a sua conta.'
    : count === 1
      ? '1 código de recuperação disponível'
      : `${count} códigos de recuperação disponíveis`

const TURN_OFF = 'Desativar'

export function SecondStepCard() {
  const read = useQuery(secondStepQuery())
  const { data } = read
  const isOnline = useIsOnline()
  const [isTurningOn, setTurningOn] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { mutate, isPending } = useMutation({
    ...renewCodes(),
    onSuccess: setCodes,
    onError: ({ message }) => toast(`Erro ao gerar os códigos: ${message}`, 'error'),
  })
  const renew = () => mutate({ operationId: newOperationId() })
  const proving = useMutation(turnOn())
  const prove = (proof: { id: string; code: string }) =>
    // The mutation belongs to this card, so it ends even if the sheet is closed. The callback belongs to the call: it
    // must not run once the card is gone, because nobody would see the new codes.
    proving.mutate(proof, {
      onSuccess: () => {
        setTurningOn(false)
        renew()
      },
    })
  const open = () => {
    if (!proving.isPending) proving.reset()
    setTurningOn(true)
  }
  return (
    <Section
      title={SECOND_STEP}
      hint="Além da senha, o portal pede um código do aplicativo autenticador do seu celular. Quem descobrir a sua senha não entra."
      action={
        data && <Badge tone={data.isOn ? 'success' : 'neutral'}>{data.isOn ? 'Ativada' : 'Desativada'}</Badge>
      }
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-3 pt-4">
        {data?.isOn && (
          <Running codesLeft={data.codesLeft} isOnline={isOnline} isRenewing={isPending} onRenew={renew} />
        )}
        {data?.isOn === false && (
          <Button disabled={!isOnline} onClick={open}>
            {TURN_ON}
          </Button>
        )}
        {!data && <FailedRead of={read} isRow />}
      </div>
      <TurnOnDialog
        isOpen={isTurningOn}
        onClose={() => setTurningOn(false)}
        proof={{ ...proving, give: prove }}
      />
      <CodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Section>
  )
}

type RunningProps = { codesLeft: number; isOnline: boolean; isRenewing: boolean; onRenew: () => void }

function Running({ codesLeft, isOnline, isRenewing, onRenew }: RunningProps) {
  // The hook's callbacks run even after these rows are gone; those of the `mutate` call would not.
  const { mutate, isPending } = useMutation({
    ...turnOff(),
    onSuccess: () => toast('Verificação em duas etapas desativada.', 'success'),
    onError: ({ message }) => toast(`Erro ao desativar: ${message}`, 'error'),
  })
  const askToRenew = () =>
    ask({
      question: 'Gerar novos códigos de recuperação?',
      consequence: 'Os códigos anteriores deixam de valer.',
      action: { label: NEW_CODES, run: onRenew, tone: 'primary' },
    })
  const askToLeave = () =>
    ask({
      question: 'Desativar a verificação em duas etapas?',
      consequence: 'A senha passa a ser suficiente para entrar, e os códigos de recuperação deixam de valer.',
      action: { label: TURN_OFF, run: () => mutate() },
    })
  return (
    <>
      <span className="min-w-0 grow text-14 text-text-2">{codesWords(codesLeft)}</span>
      <Button
        variant="line"
        disabled={!isOnline}
        busy={isRenewing && 'Gerando...'}
        onClick={codesLeft === 0 ? onRenew : askToRenew}
      >
        {NEW_CODES}
      </Button>
      <Button variant="line" disabled={!isOnline} busy={isPending && 'Desativando...'} onClick={askToLeave}>
        {TURN_OFF}
      </Button>
    </>
  )
}
