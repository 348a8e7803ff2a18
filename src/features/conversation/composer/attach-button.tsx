// The plus button: sends material of developments, attaches camera pictures, photos or files, a location, or a contact
// card.
import { Building2, Camera, FileText, Image, MapPin, Plus, UserRound, X } from 'lucide-react'
import { type ChangeEvent, Suspense, useId, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { DOCUMENTS_AND_SOUND, PICTURES_AND_VIDEOS } from '#domain/message/media.ts'
import { ActionMenu, type Action, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { moveMenuFocus } from '#ui/primitives/overlay/menu-keys.ts'
import { useBackCloses } from '#ui/primitives/overlay/use-back-closes.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { lazily } from '#ui/lazily.ts'
import { useMedia, WIDE } from '#ui/media.ts'
import { askToSendPlace } from './own-place.ts'

const ATTACH = 'Anexar arquivo'

const material = lazily(async () => (await import('../material/material-sheet.tsx')).MaterialSheet)
const contact = lazily(async () => (await import('./contact-sheet.tsx')).ContactSheet)

const PHOTO = { label: 'Foto', icon: Image, accept: PICTURES_AND_VIDEOS, isCamera: false }
const FILE = { label: 'Arquivo', icon: FileText, accept: DOCUMENTS_AND_SOUND, isCamera: false }
const CAMERA = { label: 'Câmera', icon: Camera, accept: 'image/*', isCamera: true }

type AttachButtonProps = {
  lead: Lead
  onFiles: (files: readonly File[]) => void
  /** Sends the text and files in the composer before material goes out. */
  onMaterial: () => void
}

export function AttachButton({ lead, onFiles, onMaterial }: AttachButtonProps) {
  const [spot, setSpot] = useState<Spot | null>(null)
  // Once opened, the sheet stays mounted while closed, so that focus returns to the button that opened it.
  const [isContactOpen, setContactOpen] = useState<boolean>()
  const [isMaterialOpen, setMaterialOpen] = useState<boolean>()
  const inputId = useId()
  const isWide = useMedia(WIDE)
  const choose = ({ accept, isCamera }: typeof PHOTO) => {
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
  const from = (source: typeof PHOTO): Action => ({ ...source, run: () => choose(source) })
  const four: Action[] = [
    { label: 'Material', icon: Building2, run: () => material.open(() => setMaterialOpen(true)) },
    from(PHOTO),
    from(FILE),
    { label: 'Local', icon: MapPin, run: () => askToSendPlace(lead) },
  ]
  const asContact = { label: 'Contato', icon: UserRound, run: () => contact.open(() => setContactOpen(true)) }
  const isOpen = spot !== null
  const close = () => setSpot(null)
  return (
    <>
      <IconButton
        icon={isOpen && !isWide ? X : Plus}
        label={isOpen && !isWide ? 'Fechar anexos' : ATTACH}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          setSpot(isOpen ? null : { x: left, y: top, isAbove: true })
        }}
      />
      {isWide ? (
        <ActionMenu
          isOpen={isOpen}
          onClose={close}
          title={ATTACH}
          spot={spot ?? NOWHERE}
          // The camera is missing from this menu, because desktop browsers have no camera input.
          actions={[...four, asContact]}
        />
      ) : (
        isOpen && <Tiles four={four} more={[from(CAMERA), asContact]} onClose={close} />
      )}
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

type TilesProps = { four: readonly Action[]; more: readonly Action[]; onClose: () => void }

/** The attachment choices on phones, as tiles above the message box. */
function Tiles({ four, more, onClose }: TilesProps) {
  useBackCloses(true, onClose)
  const item = ({ label, icon, run }: Action, look: string) => (
    <button
      key={label}
      type="button"
      role="menuitem"
      className={look}
      onClick={() => {
        onClose()
        run()
      }}
    >
      <Icon of={icon} />
      <span className="max-w-full truncate">{label}</span>
    </button>
  )
  return (
    <div
      role="menu"
      data-tiles
      aria-label={ATTACH}
      tabIndex={-1}
      className="order-first basis-full pr-1 pb-1 pl-2.5"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        } else moveMenuFocus(event, '[role=menuitem]')
      }}
    >
      <div className="grid grid-cols-4 gap-2">
        {four.map((action, at) => item(action, classNames(TILE, at === 0 ? FIRST : OTHER)))}
      </div>
      <div className="flex gap-2 pt-1">{more.map((action) => item(action, MORE))}</div>
    </div>
  )
}

const TILE =
  'flex h-19 min-w-0 flex-col items-center justify-center gap-1.5 rounded-lg px-1 text-14 font-medium active:scale-[.97]'
const FIRST = 'bg-primary-soft font-semibold text-on-primary-soft'
const OTHER = 'bg-surface-2 text-text'
const MORE =
  'inline-flex min-h-11 grow items-center justify-center gap-2 rounded-md text-14 font-medium text-text-2'

const NOWHERE: Spot = { x: 0, y: 0 }
