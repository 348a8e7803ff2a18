// 'Detalhes da Roleta': edits a rotation's name, the order of its brokers, and its rules. All are saved together.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import { rotationQuery, saveRotation } from './data.ts'
import { displayName } from '#domain/broker.ts'
import { PortalError } from '#domain/errors.ts'
import { MAX_ROTATION_NAME, type Rotation } from '#domain/rotation/editing.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { TextField } from '#ui/forms/field.tsx'
import '#ui/primitives/overlay/dialog-foot.css'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CANCEL, ONLINE_ONLY, SAVING } from '#ui/texts.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { BrokerPickerDialog } from './seats/broker-picker-dialog.tsx'
import { ReplaySection } from './inbox/replay-section.tsx'
import { SeatRulesDialog } from './seats/seat-rules-dialog.tsx'
import { SeatsSection } from './seats/seats-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SharesSection } from './seats/shares-section.tsx'
import { changesText, NAME, NAME_MISSING } from './texts.ts'
import { type RotationDraft, useRotationDraft } from './use-rotation-draft.ts'

const seated = (name: string) => `${name} entrou no fim da fila.`

const SKELETONS = ['a', 'b', 'c', 'd']

export type DetailsDialogProps = {
  rotation: Rotation
  isOpen: boolean
  /** The link card. */
  link: ComponentType<{ name: string; about: string; code: string | null }>
  onClose: () => void
}

/** A new key mounts the dialog again each time it opens, because closing discards unsaved edits. */
export function DetailsDialog({ rotation: { id, name }, isOpen, link: Link, onClose }: DetailsDialogProps) {
  const read = useQuery({ ...rotationQuery(id), enabled: isOpen })
  const { data: standing } = read
  const draft = useRotationDraft(standing)
  const [isPicking, setPicking] = useState(false)
  const [ruled, setRuled] = useState<string | null>(null)
  return (
    <>
      <Dialog isOpen={isOpen} onClose={onClose} title="Detalhes da Roleta" width="wide">
        {draft && standing ? (
          <DetailsForm
            id={id}
            draft={draft}
            leadsReceived={standing.leadsReceived}
            link={<Link name={name} about={name} code={standing.settings.textCode} />}
            onPick={() => setPicking(true)}
            onRules={setRuled}
            onClose={onClose}
          />
        ) : read.error ? (
          <FailedRead of={read} title="Erro ao carregar corretores" />
        ) : (
          <div className="flex flex-col gap-1.5 px-3 pb-2">
            {SKELETONS.map((row) => (
              <Skeleton key={row} className="h-14 rounded-md!" />
            ))}
          </div>
        )}
      </Dialog>
      {/* Rendered beside the dialog, not inside it, so that a drag on the upper sheet does not move the lower. */}
      <BrokerPickerDialog
        isOpen={isOpen && isPicking}
        seats={draft?.plan.seats ?? []}
        onClose={() => setPicking(false)}
        onPick={(instanceName) => {
          setPicking(false)
          draft?.seat(instanceName)
          announce(seated(displayName(instanceName)))
        }}
      />
      <SeatRulesDialog
        seat={(isOpen && draft?.plan.seats.find(({ instanceName }) => instanceName === ruled)) || null}
        onClose={() => setRuled(null)}
        onApply={(seat) => {
          setRuled(null)
          draft?.changeSeat(seat)
        }}
      />
    </>
  )
}

type DetailsFormProps = {
  id: number
  draft: RotationDraft
  leadsReceived: Readonly<Record<string, number>>
  link: ReactNode
  onPick: () => void
  onRules: (instanceName: string) => void
  onClose: () => void
}

function DetailsForm({ id, draft, leadsReceived, link, onPick, onRules, onClose }: DetailsFormProps) {
  const isOnline = useIsOnline()
  const isAdmin = useIsAdmin()
  const { save, isPending, reason } = useSave(id, draft, onClose)
  const { plan, changes, fault, isOutdated } = draft
  const isOff = !isOnline || isPending
  return (
    <div className="flex flex-col gap-5 px-3">
      {isOutdated && !isPending && (
        <Banner tone="warning" icon={CircleAlert} action={{ label: 'Ver como ficou', run: draft.takeNewest }}>
          Outra pessoa alterou esta roleta há pouco, e suas alterações não podem mais ser salvas. Veja como
          ficou e refaça o que faltar.
        </Banner>
      )}
      {reason !== null && !isOutdated && (
        <Banner tone="danger" icon={CircleAlert}>
          {reason}
        </Banner>
      )}
      <TextField
        label={NAME}
        value={plan.name}
        maxLength={MAX_ROTATION_NAME}
        readOnly={isOff || !isAdmin}
        autoComplete="off"
        error={fault === 'name' && NAME_MISSING}
        onChange={({ target }) => draft.change({ name: target.value })}
      />
      <SeatsSection
        draft={draft}
        leadsReceived={leadsReceived}
        isOff={isOff}
        onPick={onPick}
        onRules={onRules}
      />
      <SettingsSection draft={draft} isOff={isOff} />
      {isAdmin && link}
      <SharesSection id={id} />
      <ReplaySection id={id} plan={plan} isOff={isOff || fault !== null} />
      <footer className="dialog-foot -mx-5 flex flex-wrap items-center justify-end gap-2 px-5 md:-mx-7 md:px-7">
        <output className="min-w-40 grow text-13 text-text-3">
          {isOnline ? changesText(changes) : ONLINE_ONLY}
        </output>
        <span className="flex grow gap-2 *:grow md:grow-0 md:*:grow-0">
          <Button variant="line" onClick={onClose}>
            {CANCEL}
          </Button>
          <Button
            disabled={!changes || fault !== null || isOutdated || !isOnline}
            busy={isPending && SAVING}
            onClick={save}
          >
            Salvar Alterações
          </Button>
        </span>
      </footer>
    </div>
  )
}

/** If saving fails, the edits stay in the form and the reason is shown. */
function useSave(id: number, { plan, version, operationId }: RotationDraft, onSaved: () => void) {
  const client = useQueryClient()
  const { mutate, isPending, error, variables } = useMutation({
    ...saveRotation(id),
    onSuccess: () => {
      onSaved()
      toast('Alterações salvas com sucesso!', 'success')
    },
    onError: (cause) => {
      toast('Erro ao salvar alterações', 'error')
      // After this error the form reads the rotation again, and then shows that it has changed.
      if (cause instanceof PortalError && cause.code === 'roleta.changed')
        void client.invalidateQueries(rotationQuery(id))
    },
  })
  const save = () => mutate({ operationId, version, roleta: { ...plan, name: plan.name.trim() } })
  // Shows the error only as long as the edits are those that failed; each edit starts a new operation id.
  const reason = error && variables?.operationId === operationId ? error.message : null
  return { save, isPending, reason }
}
