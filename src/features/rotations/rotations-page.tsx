// 'Gerenciamento de Roletas': the rotations, the leads without a broker, and the lead sources.
import { Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import type { Rotation } from '#domain/rotation/editing.ts'
import { Button } from '#ui/primitives/button.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Tabs } from '#ui/primitives/tabs.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { DetailsDialog, type DetailsDialogProps } from './details-dialog.tsx'
import { NewRotationDialog } from './new-rotation-dialog.tsx'
import { OpenLeads, type OpenLeadsProps } from './inbox/open-leads.tsx'
import { NEW, OPEN_LEADS } from './texts.ts'
import { RotationList } from './rotation-list.tsx'

const TITLE = 'Gerenciamento de Roletas'

const VIEWS = [
  { value: 'roletas', label: 'Roletas' },
  { value: 'leads', label: OPEN_LEADS },
  { value: 'captacao', label: 'Captação' },
] as const

type View = (typeof VIEWS)[number]['value']

/** Returns the view that the address names; the rotations if it names none. */
export const viewOf = (text: unknown): View => VIEWS.find(({ value }) => value === text)?.value ?? 'roletas'

type RotationsPageProps = {
  view: View
  onView: (view: View) => void
  /** The card with the lead sources. */
  sources: ReactNode
  /** A rotation's link to print. */
  link: DetailsDialogProps['link']
} & OpenLeadsProps

export function RotationsPage({ view: asked, onView, sources, link, ...leads }: RotationsPageProps) {
  usePageTitle(TITLE)
  // A gerente sees only the rotations of the teams that the gerente leads, without the other views.
  const isAdmin = useIsAdmin()
  const view = isAdmin ? asked : 'roletas'
  const panelId = useId()
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<{ rotation: Rotation; visit: number } | null>(null)
  const [isOpen, setOpen] = useState(false)
  const open = (rotation: Rotation) => {
    setOpened((before) => ({ rotation, visit: (before?.visit ?? 0) + 1 }))
    setOpen(true)
  }
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-5">
        <h1 className="mr-auto text-24 font-semibold tracking-heading">{TITLE}</h1>
        {view === 'roletas' && isAdmin && (
          <span className="flex grow *:grow md:grow-0">
            <Button
              icon={Plus}
              disabled={!isOnline}
              title={isOnline ? undefined : ONLINE_ONLY}
              onClick={() => setAdding(true)}
            >
              {NEW}
            </Button>
          </span>
        )}
      </header>
      {isAdmin && (
        <div className="flex pb-4">
          <Tabs
            label={TITLE}
            items={VIEWS}
            value={view}
            panelId={panelId}
            onChoose={(value) => onView(viewOf(value))}
          />
        </div>
      )}
      <div id={panelId} role="tabpanel" aria-label={VIEWS.find(({ value }) => value === view)?.label}>
        {view === 'roletas' && <RotationList onOpen={open} onNew={() => setAdding(true)} />}
        {view === 'leads' && <OpenLeads {...leads} />}
        {view === 'captacao' && sources}
      </div>
      <NewRotationDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      {opened && (
        <DetailsDialog
          key={opened.visit}
          rotation={opened.rotation}
          isOpen={isOpen}
          link={link}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
