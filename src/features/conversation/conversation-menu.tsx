// What can be done beyond the conversation, behind one button of its header.
import { EllipsisVertical, Waypoints } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { type Lead, leadTitle } from '#domain/lead.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/action-menu.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { lazily } from '#ui/lazily.ts'
import { SEE_COURSE } from './history-texts.ts'
import { optionsOf } from './texts.ts'

const course = lazily(async () => (await import('./history-dialog.tsx')).CourseDialog)

type ConversationMenuProps = {
  lead: Lead
  /** Beside what stands here for everyone. */
  actions: readonly Action[]
}

export function ConversationMenu({ lead, actions }: ConversationMenuProps) {
  const button = useRef<HTMLSpanElement>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isCourseOpen, setCourseOpen] = useState(false)
  // Once shown it stays, closed, so that the focus finds its way back.
  const [hasOpened, setOpened] = useState(false)
  if (isCourseOpen && !hasOpened) setOpened(true)
  const title = leadTitle(lead)
  const open = () => {
    const box = button.current?.getBoundingClientRect()
    if (box) setSpot({ x: box.right, y: box.bottom })
  }
  const seeCourse = () => course.open(() => setCourseOpen(true))
  return (
    <>
      <span ref={button} className="flex">
        <IconButton icon={EllipsisVertical} label={optionsOf(title)} aria-haspopup="menu" onClick={open} />
      </span>
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title={optionsOf(title)}
        spot={spot ?? NO_SPOT}
        actions={[...actions, { label: SEE_COURSE, icon: Waypoints, run: seeCourse }]}
      />
      <Suspense>
        {hasOpened && (
          <course.Component
            lead={isCourseOpen ? { contactId: lead.id, name: title } : null}
            onClose={() => setCourseOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

const NO_SPOT: Spot = { x: 0, y: 0 }
