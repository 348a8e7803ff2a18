// Plus: what goes along with a message, from the camera, the pictures or the files of the device.
import { Camera, FileText, Image, Plus } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { DOCUMENTS_AND_SOUND, PICTURES_AND_VIDEOS } from '#domain/media.ts'
import { ActionMenu, type Spot } from '#ui/primitives/action-menu.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { useMedia, WIDE } from '#ui/media.ts'
import { ATTACH, CAMERA, DOCUMENT, PHOTOS } from '../texts.ts'

const SOURCES = [
  // A desk has no camera that takes pictures for a browser.
  { label: CAMERA, icon: Camera, accept: 'image/*', isCamera: true },
  { label: PHOTOS, icon: Image, accept: PICTURES_AND_VIDEOS, isCamera: false },
  { label: DOCUMENT, icon: FileText, accept: DOCUMENTS_AND_SOUND, isCamera: false },
]

type AttachButtonProps = { onFiles: (files: readonly File[]) => void }

export function AttachButton({ onFiles }: AttachButtonProps) {
  const [spot, setSpot] = useState<Spot | null>(null)
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
    // The same file may be chosen again.
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
        actions={SOURCES.filter(({ isCamera }) => !isCamera || !isWide).map((source) => ({
          label: source.label,
          icon: source.icon,
          run: () => choose(source),
        }))}
      />
      <input id={inputId} type="file" hidden aria-label={ATTACH} onChange={take} />
    </>
  )
}

const NOWHERE: Spot = { x: 0, y: 0 }
