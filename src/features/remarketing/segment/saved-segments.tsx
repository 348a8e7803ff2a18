// The menu of saved segments: choose one, save the present question under a name, remove one.
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, ListFilter, Save, Trash2 } from 'lucide-react'
import { type MouseEvent, type SubmitEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { SAVE, SAVING } from '#ui/texts.ts'
import { removeSegment, type SavedSegment, saveSegment, type SegmentOffer } from './segment-data.ts'
import type { DraftHandle } from './use-segment-draft.ts'

const NEEDS_NET = 'Você precisa de internet para salvar.'

export function SavedSegments({ handle, offer }: { handle: DraftHandle; offer: SegmentOffer }) {
  const { segments } = offer
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isNaming, setNaming] = useState(false)
  const isOnline = useIsOnline()
  const { mutate: save } = useSaving(handle)
  const { mutate: remove } = useMutation({
    ...removeSegment(),
    onSuccess: () => toast('Segmento excluído', 'success'),
    onError: (error) => toast(error.message, 'error'),
  })
  const chosen = segments.find(({ id }) => id === handle.draft.segmentId)
  const actions = actionsOf({ handle, segments, isOnline, save, remove, onName: () => setNaming(true) })
  const openMenu = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    setSpot({ x: left, y: bottom + 4 })
  }
  return (
    <>
      <Button
        variant="soft"
        size="small"
        aria-haspopup="menu"
        onClick={openMenu}
        title={isOnline ? undefined : NEEDS_NET}
      >
        {chosen ? chosen.name : `Segmentos salvos ${segments.length}`}
        <ChevronDown aria-hidden size={16} />
      </Button>
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title="Segmentos salvos"
        spot={spot ?? { x: 0, y: 0 }}
        actions={actions}
      />
      <NameDialog isOpen={isNaming} onClose={() => setNaming(false)} handle={handle} />
    </>
  )
}

type Doing = {
  handle: DraftHandle
  segments: readonly SavedSegment[]
  isOnline: boolean
  save: (segment: SavedSegment) => void
  remove: (id: number) => void
  onName: () => void
}

function actionsOf({ handle: { draft, change }, segments, isOnline, save, remove, onName }: Doing): Action[] {
  const chosen = segments.find(({ id }) => id === draft.segmentId)
  const hasQuestion = Object.keys(draft.question).length > 0
  const actions: Action[] = segments.map((segment) => ({
    label: segment.name,
    icon: ListFilter,
    run: () => change({ segmentId: segment.id, question: segment.question }),
  }))
  if (chosen)
    actions.push(
      {
        label: `Salvar em “${chosen.name}”`,
        icon: Save,
        isApart: true,
        isDisabled: !isOnline,
        run: () => save({ id: chosen.id, name: chosen.name, question: draft.question }),
      },
      {
        label: `Excluir “${chosen.name}”`,
        icon: Trash2,
        isDanger: true,
        isDisabled: !isOnline,
        run: () =>
          ask({
            question: `Excluir o segmento “${chosen.name}”?`,
            consequence: 'As campanhas já enviadas ficam.',
            action: {
              label: 'Excluir',
              run: () => {
                remove(chosen.id)
                change({ segmentId: null })
              },
            },
          }),
      },
    )
  actions.push({
    label: 'Salvar como novo segmento',
    icon: Save,
    isApart: !chosen,
    isDisabled: !isOnline || !hasQuestion,
    run: onName,
  })
  return actions
}

function useSaving({ change }: DraftHandle) {
  return useMutation({
    ...saveSegment(),
    onSuccess: (id) => {
      change({ segmentId: id })
      toast('Segmento salvo', 'success')
    },
    onError: (error) => toast(error.message, 'error'),
  })
}

type NameDialogProps = { isOpen: boolean; onClose: () => void; handle: DraftHandle }

function NameDialog({ isOpen, onClose, handle }: NameDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Salvar segmento">
      {isOpen && <NameForm onDone={onClose} handle={handle} />}
    </Dialog>
  )
}

function NameForm({ onDone, handle }: { onDone: () => void; handle: DraftHandle }) {
  const [name, setName] = useState('')
  const { mutate, isPending, error } = useMutation({
    ...saveSegment(),
    onSuccess: (id) => {
      handle.change({ segmentId: id })
      toast('Segmento salvo', 'success')
      onDone()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending && name.trim() !== '') mutate({ id: null, name, question: handle.draft.question })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <TextField
        label="Nome"
        value={name}
        maxLength={60}
        autoComplete="off"
        error={error?.message}
        onChange={({ target }) => setName(target.value)}
      />
      <FormActions onCancel={onDone}>
        <Button type="submit" disabled={name.trim() === ''} busy={isPending && SAVING}>
          {SAVE}
        </Button>
      </FormActions>
    </form>
  )
}
