// One entry that is sent automatically: its title, its age, and a button to delete it.
import { formatRelative } from '#domain/format.ts'
import {
  ArrowLeftRight,
  Building2,
  CalendarCheck,
  Clock3,
  Flag,
  type LucideIcon,
  MessageCircle,
  MessageCircleDashed,
  Pencil,
  Repeat,
  SmilePlus,
  StickyNote,
  Trash2,
  Undo2,
  UserRoundCheck,
  UserRoundPlus,
  UserRoundX,
} from 'lucide-react'
import type { CommandKind, Entry } from '#domain/outbox/command.ts'
import type { Stage } from '#domain/stage.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useDeviceNow } from '#ui/now.ts'
import { askToDiscard } from './discarding.ts'
import { statusOf, titleOf, wordsOf } from './entry-words.ts'
import { DISCARD } from './texts.ts'

const doneAt = (ms: number, nowMs: number) => formatRelative(ms, nowMs)

const ICON = {
  'lead.move': ArrowLeftRight,
  'lead.note': StickyNote,
  'lead.rename': Pencil,
  'lead.fields': Pencil,
  'lead.read': MessageCircle,
  'lead.unread': MessageCircleDashed,
  'lead.add': UserRoundPlus,
  'lead.pass': UserRoundPlus,
  'lead.take': UserRoundCheck,
  'lead.private': UserRoundX,
  'lead.public': Undo2,
  'message.send': MessageCircle,
  'material.send': Building2,
  'interest.add': Building2,
  'interest.remove': Building2,
  'message.react': SmilePlus,
  'message.edit': Pencil,
  'message.delete': Trash2,
  'message.schedule': Clock3,
  'message.unschedule': Clock3,
  'visit.save': CalendarCheck,
  'visit.outcome': CalendarCheck,
  'plan.start': Repeat,
  'plan.stop': Repeat,
  'action.save': Flag,
  'action.finish': Flag,
  'action.snooze': Flag,
} satisfies Record<CommandKind, LucideIcon>

type EntryProps = { entry: Entry; stages: readonly Stage[] }

export function EntryRow({ entry, stages }: EntryProps) {
  const title = titleOf(entry, stages)
  return (
    <li className="flex items-start gap-1 rounded-lg bg-surface-2 py-1.5 pr-1 pl-3.5">
      <div className="min-w-0 grow py-1.5">
        <EntryHead entry={entry} title={title} />
        <Words text={wordsOf(entry.command)} />
        <p className="mt-0.5 text-13 text-text-2">{statusOf(entry)}</p>
      </div>
      <IconButton icon={Trash2} label={`${DISCARD}: ${title}`} onClick={() => askToDiscard(entry)} />
    </li>
  )
}

export function EntryHead({ entry, title }: { entry: Entry; title: string }) {
  const nowMs = useDeviceNow()
  return (
    <div className="flex items-start gap-2">
      <Icon of={ICON[entry.command.kind]} size={16} className="mt-0.5 text-text-2" />
      <h4 className="min-w-0 grow text-15 leading-snug font-medium wrap-anywhere">{title}</h4>
      <span className="shrink-0 pt-0.5 text-13 text-text-3">{doneAt(entry.createdAtMs, nowMs)}</span>
    </div>
  )
}

function Words({ text }: { text: string | null }) {
  return text && <p className="mt-0.5 line-clamp-2 text-14 wrap-anywhere text-text-2">{text}</p>
}
