// Lists a user's devices with pushes. Any device can remove any other.
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { type PushDevice, removeDevice } from '#data/push.ts'
import { formatRelative } from '#domain/format.ts'
import { switchOff } from '#live/push.ts'
import { ask } from '#ui/feedback/ask.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { useNow } from '#ui/now.ts'
import { toast } from '#ui/feedback/toast.ts'
import { removeDevice as removeLabel } from '../texts.ts'

const seenAgo = (ago: string) => (ago === 'agora' ? 'Ativo agora' : `Ativo ${ago}`)

export function PushDevices({ devices }: { devices: readonly PushDevice[] }) {
  const headingId = useId()
  const nowMs = useNow()
  const remove = useMutation({
    ...removeDevice(),
    onError: () => toast('Erro ao remover o aparelho. Tente novamente.', 'error'),
  })
  const askToRemove = ({ id, name, isThis }: PushDevice) =>
    ask({
      question: `Remover ${name}?`,
      consequence: 'Este aparelho deixa de receber avisos até que sejam ativados nele de novo.',
      action: {
        label: 'Remover',
        run: () => {
          if (isThis) void switchOff()
          remove.mutate(id)
        },
      },
    })
  return (
    <section aria-labelledby={headingId} className="mt-2 px-4">
      <h3 id={headingId} className="py-2 text-13 font-medium text-text-3">
        Aparelhos com avisos
      </h3>
      {devices.length === 0 && (
        <p className="pb-3 text-15 text-text-2">Nenhum aparelho recebe avisos ainda.</p>
      )}
      <ul>
        {devices.map((device) => (
          <li
            key={device.id}
            className="flex min-h-14 items-center gap-2 border-b border-border last:border-b-0"
          >
            <span className="min-w-0 grow py-2">
              <span className="block text-16 wrap-anywhere">{device.name}</span>
              <span className="block text-13 text-text-3">
                {device.isThis ? 'este aparelho' : seenAgo(formatRelative(device.seenAtMs, nowMs))}
              </span>
            </span>
            <IconButton icon={Trash2} label={removeLabel(device.name)} onClick={() => askToRemove(device)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
