// The actions of a webhook address: test, new secret, resend a period, resume, disable, delete.
import { formatDateTime } from '#domain/format.ts'
import { useMutation } from '@tanstack/react-query'
import { CalendarClock, EllipsisVertical, KeyRound, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { ask } from '#ui/feedback/ask.ts'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { type Hook, removeHook, type Secret, setHookState, swapSecret, testHook } from './data.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import {
  CHANGE_FAILED,
  firstTestText,
  REPLAY_SPAN,
  SECRET,
  SECRET_WORDS,
  SEND_TEST,
  testedText,
} from './texts.ts'

const REMOVE = 'Remover endereço'

const TURN_OFF = 'Desligar'

const SWAP = 'Trocar segredo'

const swapped = (untilMs: number) =>
  `Copie agora. Não será mostrado de novo. O segredo anterior também assina até ${formatDateTime(untilMs)}.`

export function HookActions({ hook }: { hook: Hook }) {
  const isOnline = useIsOnline()
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isReplaying, setReplaying] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  const isUntested = hook.reason === 'untested'
  const test = useMutation({
    ...testHook(hook.id),
    onSuccess: (tested) => {
      const said = isUntested ? firstTestText(tested) : testedText(tested)
      toast(said, tested.fault === null ? 'success' : 'error')
    },
    onError: ({ message }) => toast(message, 'error'),
  })
  const { resume, actions } = useActions(hook, setSecret, () => setReplaying(true))
  return (
    <>
      <span className="inline-flex min-h-9 items-center gap-2 rounded-ctl bg-surface-2 px-3 font-mono text-13 text-text-2">
        <Icon of={KeyRound} size={16} />
        <span className="max-[40rem]:sr-only">Segredo</span>
        {`whsec_••••${hook.secretTail}`}
      </span>
      {hook.state !== 'active' && !isUntested && (
        <Button variant="soft" size="small" disabled={!isOnline} onClick={resume}>
          Retomar
        </Button>
      )}
      <Button
        variant={isUntested ? 'soft' : 'line'}
        size="small"
        disabled={!isOnline}
        busy={test.isPending && 'Enviando...'}
        onClick={() => test.mutate(null)}
      >
        {SEND_TEST}
      </Button>
      <IconButton
        icon={EllipsisVertical}
        label="Mais ações"
        disabled={!isOnline}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { right, bottom } = currentTarget.getBoundingClientRect()
          setSpot({ x: right, y: bottom })
        }}
      />
      {spot && (
        <ActionMenu isOpen onClose={() => setSpot(null)} title={hook.name} spot={spot} actions={actions} />
      )}
      <ReplayDialog hook={hook} isOpen={isReplaying} onClose={() => setReplaying(false)} />
      <LinkDialog
        title={SECRET}
        shown={secret && { link: secret.secret, hint: swapped(secret.untilMs) }}
        words={SECRET_WORDS}
        onClose={() => setSecret(null)}
      />
    </>
  )
}

function useActions({ id, name, state }: Hook, onSecret: (secret: Secret) => void, onReplay: () => void) {
  const onError = () => toast(CHANGE_FAILED, 'error')
  const change = useMutation({ ...setHookState(id), onError })
  const swap = useMutation({ ...swapSecret(id), onSuccess: onSecret, onError })
  const removal = useMutation({
    ...removeHook(id),
    onSuccess: () => toast('Endereço removido.', 'success'),
    onError,
  })
  const actions: Action[] = [
    { label: REPLAY_SPAN, icon: CalendarClock, run: onReplay },
    {
      label: SWAP,
      icon: KeyRound,
      run: () =>
        ask({
          question: 'Trocar o segredo?',
          consequence: 'O anterior também assina por 24 horas, para dar tempo de trocar no outro sistema.',
          action: { label: SWAP, run: () => swap.mutate(null), tone: 'primary' },
        }),
    },
    ...(state === 'off'
      ? []
      : [
          {
            label: TURN_OFF,
            icon: Power,
            run: () =>
              ask({
                question: `Desligar os avisos para ${name}?`,
                consequence: 'O que acontecer enquanto estiver desligado não será avisado.',
                action: { label: TURN_OFF, run: () => change.mutate('off') },
              }),
          },
        ]),
    {
      label: REMOVE,
      icon: Trash2,
      isDanger: true,
      run: () =>
        ask({
          question: `Remover ${name}?`,
          consequence: 'O que ainda espera não será enviado, e a lista de entregas some.',
          action: { label: REMOVE, run: () => removal.mutate(null) },
        }),
    },
  ]
  return { resume: () => change.mutate('active'), actions }
}
