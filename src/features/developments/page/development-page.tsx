// The page of one development, with a single 'Salvar' (Ctrl+S): data, plans and prices, photos, documents, and where it
// is used.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, ArrowLeft, CircleAlert, CloudOff, Smartphone } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { dayAt } from '#domain/dashboard/period.ts'
import { priceOf, STATE_LABEL } from '#domain/development/development.ts'
import { ask } from '#ui/feedback/ask.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { SAVE, SAVING } from '#ui/texts.ts'
import { archiveDevelopment, developmentQuery, saveDevelopment, type DevelopmentDetails } from '../data.ts'
import { SAVE_ONLINE } from '../texts.ts'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { DocumentsCard } from './documents-card.tsx'
import { FieldsCard } from './fields-card.tsx'
import { PhotosCard } from './photos-card.tsx'
import { PlansCard } from './plans-card.tsx'
import { PriceHistory } from './price-history.tsx'
import { SavingCard } from './saving-card.tsx'
import { UnitsCard } from './units-card.tsx'
import { UsageCard } from './usage-card.tsx'
import type { OpenLead } from './usage-leads.tsx'
import { useDevelopmentDraft, type DevelopmentDraft } from './use-development-draft.ts'
import { useUploads } from './use-uploads.ts'

const UNSAVED = {
  question: 'Sair sem salvar?',
  consequence: 'O que você mudou neste empreendimento se perde.',
}

/** A preview of the material as brokers see it. */
type Preview = {
  Component: ComponentType<{ id: number; isOpen: boolean; isUnsaved: boolean; onClose: () => void }>
  open: (show: () => void) => void
}

type PageProps = { id: number; onBack: () => void; onLead: OpenLead; preview: Preview }

export function DevelopmentPage({ id, ...rest }: PageProps) {
  const read = useQuery(developmentQuery(id))
  const draft = useDevelopmentDraft(read.data)
  useUnsavedGuard(draft?.isDirty === true, UNSAVED)
  usePageTitle(read.data?.name ?? 'Empreendimento')
  if (!draft || !read.data)
    return read.error ? (
      <FailedRead of={read} title="Erro ao carregar o empreendimento. Tente novamente." />
    ) : (
      <Skeleton className="h-96 rounded-lg!" />
    )
  return <DevelopmentForm standing={read.data} draft={draft} {...rest} />
}

type FormProps = Omit<PageProps, 'id'> & { standing: DevelopmentDetails; draft: DevelopmentDraft }

function DevelopmentForm({ standing, draft, onBack, onLead, preview }: FormProps) {
  const isOnline = useIsOnline()
  const today = dayAt(useNow())
  const { save, isPending, reason } = useSave(standing.id, draft)
  const { uploading, add } = useUploads(standing.id, draft.addFile)
  const isOff = !isOnline || isPending
  const ofKind = (isPhoto: boolean) => uploading.filter(({ kind }) => (kind === 'foto') === isPhoto)
  return (
    <>
      <header className="flex flex-wrap items-center gap-2.5 pb-5">
        <IconButton icon={ArrowLeft} label="Empreendimentos" onClick={onBack} />
        <h1 className="text-24 font-semibold tracking-heading wrap-anywhere">{standing.name}</h1>
        {standing.state && <Badge tone="neutral">{STATE_LABEL[standing.state]}</Badge>}
        {standing.archivedAt && <Badge tone="neutral">Arquivado</Badge>}
        {draft.isDirty && <Badge tone="warning">Alterações não salvas</Badge>}
        <span className="ml-auto flex gap-2.5">
          <PreviewButton id={standing.id} isUnsaved={draft.isDirty} preview={preview} />
          <Button
            disabled={!draft.isDirty || draft.isOutdated || !isOnline}
            title={isOnline ? 'Ctrl+S' : SAVE_ONLINE}
            busy={isPending && SAVING}
            onClick={save}
          >
            {SAVE}
          </Button>
        </span>
      </header>
      <div className="flex flex-col gap-3 pb-4 empty:hidden">
        {!isOnline && (
          <Banner tone="dark" icon={CloudOff}>
            {SAVE_ONLINE}
          </Banner>
        )}
        {draft.isOutdated && !isPending && <ChangedElsewhere draft={draft} standing={standing} />}
        {reason !== null && !draft.isOutdated && (
          <Banner tone="danger" icon={CircleAlert}>
            {reason}
          </Banner>
        )}
      </div>
      <div className="grid items-start gap-4 min-[76rem]:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <FieldsCard draft={draft} isOff={isOff} />
          <PlansCard
            draft={draft}
            today={today}
            pricedOn={priceOf(standing, today)?.pricedOn ?? null}
            isOff={isOff}
          />
          <PriceHistory prices={standing.prices} />
          <UnitsCard draft={draft} isOff={isOff} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <PhotosCard
              draft={draft}
              uploading={ofKind(true)}
              isOff={isOff}
              onFiles={(files) => void add(files, 'foto')}
            />
            <DocumentsCard
              draft={draft}
              uploading={ofKind(false)}
              isOff={isOff}
              onFiles={(files, kind) => void add(files, kind)}
            />
          </div>
        </div>
        <aside className="flex flex-col gap-4">
          <UsageCard id={standing.id} usage={standing.usage} onLead={onLead} />
          <SavingCard draft={draft} usage={standing.usage} />
          <ArchiveButton standing={standing} isOff={isOff} />
        </aside>
      </div>
    </>
  )
}

type PreviewButtonProps = { id: number; isUnsaved: boolean; preview: Preview }

function PreviewButton({ preview, ...shown }: PreviewButtonProps) {
  const [isOpen, setOpen] = useState(false)
  // Once opened, the preview stays mounted while closed, so that the focus returns to its button.
  const [hasOpened, setOpened] = useState(false)
  const show = () => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <Button variant="line" icon={Smartphone} onClick={() => preview.open(show)}>
        Ver como o corretor
      </Button>
      {hasOpened && <preview.Component {...shown} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}

function ArchiveButton({ standing, isOff }: { standing: DevelopmentDetails; isOff: boolean }) {
  const isArchived = standing.archivedAt !== null
  const { mutate, isPending } = useMutation({
    ...archiveDevelopment(standing.id),
    onError: (error) => toast(error.message, 'error'),
  })
  const leads = countOf(standing.usage.openLeads, 'lead continua', 'leads continuam')
  return (
    <Button
      variant="line"
      icon={isArchived ? ArchiveRestore : Archive}
      disabled={isOff}
      busy={isPending && SAVING}
      onClick={() =>
        isArchived
          ? mutate(false)
          : ask({
              question: `Arquivar ${standing.name}?`,
              consequence: `${leads} com os corretores. O material e os fatos do agente saem.`,
              action: { label: 'Arquivar', run: () => mutate(true), tone: 'primary' },
            })
      }
    >
      {isArchived ? 'Tirar do arquivo' : 'Arquivar empreendimento'}
    </Button>
  )
}

/** Saves the form, also on Ctrl+S. If saving fails, the edits stay in the form and the reason is shown. */
function useSave(id: number, draft: DevelopmentDraft) {
  const { operationId, version, wanted, faults, isDirty } = draft
  const { mutate, isPending, error, variables } = useMutation({
    ...saveDevelopment(id),
    onSuccess: (saved) => {
      draft.restart(saved)
      toast('Empreendimento salvo.', 'success')
    },
  })
  const save = () => {
    if (isPending || !isDirty) return
    const [fault] = faults.values()
    if (fault === undefined) mutate({ operationId, version, development: wanted })
    else toast(fault, 'error')
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  const reason = error && variables?.operationId === operationId ? error.message : null
  return { save, isPending, reason }
}
