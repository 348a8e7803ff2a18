// A stage's row in the list: its colour, name, kind and position, and its deletion.
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import type { StageEdit } from '#data/board/stage-changes.ts'
import { DEFAULT_STAGE_SLUG, type Stage } from '#domain/stage.ts'
import { MAX_STAGE_NAME, renameOf } from '#domain/stage-editing.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { hueOf } from '#ui/primitives/hue.ts'
import { InlineEdit } from '#ui/forms/inline-edit.tsx'

const KIND: Record<Stage['kind'], string> = {
  open: 'Aberto',
  won: 'Ganho',
  lost: 'Perdido/Arquivado',
}

const KINDS: readonly Stage['kind'][] = ['open', 'won', 'lost']

type StageRowProps = {
  stage: Stage
  isFirst: boolean
  isLast: boolean
  /** True while the stage cannot be changed. */
  isOff: boolean
  onSave: (edit: StageEdit) => void
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

export function StageRow({ stage, isFirst, isLast, isOff, onSave, onMove, onRemove }: StageRowProps) {
  const { name, slug, kind, hue } = stage
  const isDefault = slug === DEFAULT_STAGE_SLUG
  const rename = (typed: string) => {
    const wanted = renameOf(stage, typed)
    if (wanted !== null) onSave({ stage, name: wanted })
  }
  const nameWords = <span className="font-medium wrap-anywhere">{name}</span>
  return (
    <li className="flex flex-wrap items-center gap-x-1.5 gap-y-1 border-b border-border py-1.5 pr-1.5 pl-3 md:gap-x-3 md:pl-4 last:border-b-0">
      <span aria-hidden data-hue={hueOf(slug, hue)} className="size-2.5 shrink-0 rounded-full bg-hue-dot" />
      <div className="flex min-h-11 min-w-40 grow basis-[calc(100%-1.75rem)] flex-col justify-center md:basis-40">
        {isOff ? (
          nameWords
        ) : (
          <InlineEdit
            value={name}
            label="Nome do estágio"
            editLabel={`Editar ${name}`}
            maxLength={MAX_STAGE_NAME}
            onSave={rename}
          >
            {nameWords}
          </InlineEdit>
        )}
        {isDefault && <span className="text-13 text-text-3">Novos contatos entram aqui</span>}
      </div>
      <select
        value={kind}
        disabled={isDefault || isOff}
        aria-label={`Tipo de ${name}`}
        onChange={({ target }) => {
          const chosen = KINDS.find((each) => each === target.value)
          if (chosen) onSave({ stage, kind: chosen })
        }}
        className="min-h-11 w-36 grow rounded-ctl bg-surface pl-2 text-16 md:px-3 shadow-input disabled:text-text-3 md:w-auto md:grow-0 lg:min-h-10 lg:text-14"
      >
        {KINDS.map((each) => (
          <option key={each} value={each}>
            {KIND[each]}
          </option>
        ))}
      </select>
      <span className="ml-auto flex">
        <IconButton
          icon={ArrowUp}
          label={`Mover ${name} para cima`}
          disabled={isFirst || isOff}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon={ArrowDown}
          label={`Mover ${name} para baixo`}
          disabled={isLast || isOff}
          onClick={() => onMove(1)}
        />
        {isDefault ? (
          <span className="w-11" />
        ) : (
          <IconButton icon={Trash2} label={`Excluir ${name}`} disabled={isOff} onClick={onRemove} />
        )}
      </span>
    </li>
  )
}
