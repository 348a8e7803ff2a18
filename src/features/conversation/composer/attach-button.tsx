// The plus button: sends material of developments, attaches camera pictures, photos or files, a location, or a contact card.
import { Building2, Camera, FileText, Image, MapPin, Plus, UserRound } from 'lucide-react'
import { type ChangeEvent, Suspense, useId, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { DOCUMENTS_AND_SOUND, PICTURES_AND_VIDEOS } from '#domain/message/media.ts'
import { ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { lazily } from '#ui/lazily.ts'
import { useMedia, WIDE } from '#ui/media.ts'
import { askToSendPlace } from './own-place.ts'

const ATTACH = 'Anexar arquivo'

const material = lazily(async () => (await import('../material/material-sheet.tsx')).MaterialSheet)
const contact = lazily(async () => (await import('./contact-sheet.tsx')).ContactSheet)

const SOURCES = [
  // Desktop browsers have no camera input.
  { label: 'Câmera', icon: Camera, accept: 'image/*', isCamera: true },
  { label: 'Fotos', icon: Image, accept: PICTURES_AND_VIDEOS, isCamera: false },
  { label: 'Documento', icon: FileText, accept: DOCUMENTS_AND_SOUND, isCamera: false },
]

type AttachButtonProps = {
  lead: Lead
  onFiles: (files: readonly File[]) => void
  /** Sends what is typed, before material goes. */
  onMaterial: () => void
}

export function AttachButton({ lead, onFiles, onMaterial }: AttachButtonProps) {
  const [spot, setSpot] = useState<Spot | null>(null)
  // After the first opening it stays mounted, closed, so that the focus returns.
  const [isContactOpen, setContactOpen] = useState<boolean>()
  const [isMaterialOpen, setMaterialOpen] = useState<boolean>()
  const inputId = useId()
  const isWide = useMedia(WIDE)
  const choose = ({ accept, isCamera }: (typeof SOURCES)[number]) => {
    const input = document.getElementById(inputId)
    if (!(input instanceof HTMLInputElement)) return
    input.accept = accept
    input.multiple = !isCamera
    input.toggleAttribute('capture', isCamera)
    input.click()
  }
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Allows choosing the same file again.
    target.value = ''
    onFiles(files)
  }
  return (
    <>
      <IconButton
        icon={Plus}
        label={ATTACH}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          setSpot({ x: left, y: top, isAbove: true })
        }}
      />
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title={ATTACH}
        spot={spot ?? NOWHERE}
        actions={[
          { label: 'Material', icon: Building2, run: () => material.open(() => setMaterialOpen(true)) },
          ...SOURCES.filter(({ isCamera }) => !isCamera || !isWide).map((source) => ({
            label: source.label,
            icon: source.icon,
            run: () => choose(source),
          })),
          { label: 'Localização', icon: MapPin, run: () => askToSendPlace(lead) },
          { label: 'Contato', icon: UserRound, run: () => contact.open(() => setContactOpen(true)) },
        ]}
      />
      <Suspense>
        {isMaterialOpen !== undefined && (
          <material.Component
            lead={lead}
            isOpen={isMaterialOpen}
            onClose={() => setMaterialOpen(false)}
            onBefore={onMaterial}
          />
        )}
        {isContactOpen !== undefined && (
          <contact.Component lead={lead} isOpen={isContactOpen} onClose={() => setContactOpen(false)} />
        )}
      </Suspense>
      <input id={inputId} type="file" hidden aria-label={ATTACH} onChange={take} />
    </>
  )
}

const NOWHERE: Spot = { x: 0, y: 0 }
