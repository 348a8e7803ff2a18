// A user's pushes: the switch for this device, settings for all devices, and their list.
import { type PushState } from '#live/push.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { pushQuery, readAgain, removeDevice, savePushSettings } from '#data/push.ts'
import type { Role } from '#domain/session.ts'
import { switchOff, switchOn, usePush } from '#live/push.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Loading } from '#ui/feedback/loading.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { PushDevices } from './devices.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { PUSHES } from '../texts.ts'

/** Tells, per role, which pushes each setting lets through. */
const HINTS = {
  broker: {
    notified: 'Leads novos, respostas, campanhas concluídas e WhatsApp desconectado.',
    hidden: 'O aviso diz só que chegou uma mensagem, sem o nome e sem o texto.',
    quiet: 'Sem avisos nesse horário. No fim, você recebe um resumo dos leads à espera.',
  },
  admin: {
    notified: 'O WhatsApp de um corretor caiu e não voltou em um minuto.',
    hidden: 'O aviso não diz de qual corretor.',
    quiet: 'Nada toca; no fim, um aviso para cada WhatsApp que não voltou.',
  },
  gerente: {
    notified: 'Um lead da equipe espera a primeira resposta há mais que o dobro da meta.',
    hidden: 'O aviso não diz o lead nem o corretor.',
    quiet: 'Nada toca nesse horário.',
  },
} satisfies Record<Role, Record<'notified' | 'hidden' | 'quiet', string>>

/** Tells why this device has no switch for pushes. */
const NO_SWITCH = {
  unknown: '',
  unsupported: 'Este navegador não mostra avisos.',
  elsewhere: 'Para receber avisos neste aparelho, instale o aplicativo e abra pelo ícone.',
  denied: 'Avisos bloqueados neste aparelho. Para ativar, abra os ajustes do sistema.',
} satisfies Partial<Record<PushState, string>>

type PushDialogProps = { role: Role; isOpen: boolean; onClose: () => void }

export function PushDialog({ role, isOpen, onClose }: PushDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={PUSHES}>
      <Pushes role={role} />
    </Dialog>
  )
}

function Pushes({ role }: { role: Role }) {
  const read = useQuery(pushQuery())
  const { data } = read
  const isOnline = useIsOnline()
  const save = useMutation({
    ...savePushSettings(),
    onError: () => toast('Erro ao salvar os avisos. Tente novamente.', 'error'),
  })
  if (!data) return read.error ? <FailedRead of={read} /> : <Loading />
  const { devices, settings } = data
  const hints = HINTS[role]
  return (
    // Offline nothing can be saved.
    <fieldset disabled={!isOnline} className="disabled:opacity-60">
      <ThisDevice id={devices.find(({ isThis }) => isThis)?.id} hint={hints.notified} />
      <Switch
        label="Ocultar nomes na tela bloqueada"
        hint={hints.hidden}
        isOn={settings.hidesNames}
        onChange={(hidesNames) => save.mutate({ hidesNames })}
      />
      <QuietHours hint={hints.quiet} quiet={settings.quiet} onChange={(quiet) => save.mutate({ quiet })} />
      <PushDevices devices={devices} />
    </fieldset>
  )
}

/** `id` is this device's push registration; undefined if it is not registered. */
function ThisDevice({ id, hint }: { id: string | undefined; hint: string }) {
  const push = usePush()
  const client = useQueryClient()
  const remove = useMutation(removeDevice())
  const [wanted, setWanted] = useState<boolean | null>(null)
  if (push !== 'on' && push !== 'off')
    return <p className="px-4 py-3 text-15 leading-snug text-text-2">{NO_SWITCH[push]}</p>

  const turn = async (isOn: boolean) => {
    setWanted(isOn)
    try {
      if (isOn) await switchOn()
      else {
        await switchOff()
        if (id !== undefined) await remove.mutateAsync(id)
      }
    } catch {
      toast('Erro ao mudar os avisos. Tente de novo quando a internet voltar.', 'error')
    } finally {
      setWanted(null)
      await readAgain(client)
    }
  }
  return (
    <Switch
      label="Avisos neste aparelho"
      hint={hint}
      isOn={wanted ?? push === 'on'}
      onChange={(isOn) => void turn(isOn)}
    />
  )
}
