// The webhook addresses: state, events, and last successful delivery.
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatRelative } from '#domain/format.ts'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { Card } from '#ui/primitives/card.tsx'
import type { Hook, MadeHook } from './data.ts'
import { FirstTest } from './first-test.tsx'
import { NewHookDialog } from './new-hook-dialog.tsx'
import { eventLabel, NEW_HOOK, SECRET, SECRET_WORDS } from './texts.ts'

const openLabel = ({ name }: Hook) => `Abrir ${name}`

function stateOf(
  hook: Pick<Hook, 'state' | 'reason' | 'nextAtMs'>,
  nowMs: number,
): { label: string; tone: 'success' | 'warning' | 'danger' | 'neutral' } {
  if (hook.state === 'paused') return { label: 'Pausado após 20 falhas', tone: 'danger' }
  if (hook.reason === 'gone') return { label: 'Desligado: o endereço não existe mais', tone: 'danger' }
  if (hook.reason === 'untested') return { label: 'Falta o primeiro teste', tone: 'warning' }
  if (hook.state === 'off') return { label: 'Desligado', tone: 'neutral' }
  if (hook.nextAtMs === null) return { label: 'Em dia', tone: 'success' }
  const minutes = Math.ceil((hook.nextAtMs - nowMs) / 60_000)
  if (minutes <= 0) return { label: 'Tentando de novo agora', tone: 'warning' }
  const span = minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
  return { label: `Tentando de novo em ${span}`, tone: 'warning' }
}

/** For example 'Novo, distribuído, respondido'. */
const eventsText = (events: readonly string[]) => {
  const words = events.map(eventLabel).join(', ')
  return (
    words.slice(0, 1) +
    words.slice(1).replace(/(?<=, )\p{Lu}(?!\p{Lu}|hats)/gu, (letter) => letter.toLowerCase())
  )
}

const HOOKS = 'Avisos para outros sistemas'

const COLUMNS: readonly Column<Hook>[] = [
  {
    title: 'Sistema',
    place: 'head',
    cell: ({ name, url }) => (
      <span className="block py-2">
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="block font-mono text-12 text-text-2 wrap-anywhere">{url}</span>
      </span>
    ),
  },
  { title: 'Estado', place: 'mark', cell: (hook) => <StateBadge hook={hook} /> },
  {
    title: 'Avisos',
    isPlain: true,
    cell: ({ events }) => <span className="text-13 text-text-2">{eventsText(events)}</span>,
  },
  { title: 'Última entrega', isNumber: true, cell: (hook) => <Last hook={hook} /> },
]

type HookListProps = { hooks: readonly Hook[]; openId: string | null; onOpen: (id: string) => void }

export function HookList({ hooks, openId, onOpen }: HookListProps) {
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<MadeHook | null>(null)
  return (
    <Card
      title={HOOKS}
      note="webhooks"
      action={
        <Button
          icon={Plus}
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          onClick={() => setAdding(true)}
        >
          {NEW_HOOK}
        </Button>
      }
    >
      {hooks.length === 0 ? (
        <p className="px-4 pb-4 text-14 text-text-2 lg:px-5">Nenhum sistema é avisado.</p>
      ) : (
        <Table
          label={HOOKS}
          columns={COLUMNS}
          rows={hooks}
          keyOf={({ id }) => id}
          current={({ id }) => id === openId}
          open={{ run: ({ id }) => onOpen(id), name: openLabel }}
        />
      )}
      <NewHookDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onMade={(hook) => {
          setAdding(false)
          setMade(hook)
          onOpen(hook.id)
        }}
      />
      <LinkDialog
        title={SECRET}
        shown={
          made
            ? {
                link: made.secret,
                hint: 'Copie agora. Não será mostrado de novo. Com ele o outro sistema confere a assinatura: ponha-o lá e envie o primeiro teste.',
              }
            : null
        }
        words={SECRET_WORDS}
        onClose={() => setMade(null)}
      >
        {made && <FirstTest id={made.id} />}
      </LinkDialog>
    </Card>
  )
}

function StateBadge({ hook }: { hook: Hook }) {
  const { label, tone } = stateOf(hook, useNow())
  return (
    <Badge tone={tone}>
      <span aria-hidden className="mr-1.5 size-1.5 rounded-full bg-current" />
      {label}
    </Badge>
  )
}

function Last({ hook: { deliveredAtMs } }: { hook: Hook }) {
  const nowMs = useNow()
  return (
    <span className="text-13">{deliveredAtMs === null ? '–' : formatRelative(deliveredAtMs, nowMs)}</span>
  )
}
