// A photo as large as the window, from where it is on the screen already: the address that it came from is too old soon.
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { KIND_LABEL } from '#domain/message/message.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Modal } from '#ui/primitives/overlay/modal.tsx'
import { CLOSE } from '#ui/texts.ts'

type PhotoViewerProps = {
  /** undefined: closed. */
  url: string | undefined
  onClose: () => void
}

export function PhotoViewer({ url, onClose }: PhotoViewerProps) {
  const titleId = useId()
  // Kept while it closes, so that it does not vanish before.
  const [last, setLast] = useState(url)
  if (url !== undefined && url !== last) setLast(url)
  return (
    <Modal isOpen={url !== undefined} onClose={onClose} labelledBy={titleId} height="tall" width="widest">
      <div className="flex h-full flex-col">
        <div className="flex shrink-0 items-center pt-1 pr-3 pl-5">
          <h2 id={titleId} className="grow text-17 font-semibold">
            {KIND_LABEL.image}
          </h2>
          <IconButton icon={X} label={CLOSE} onClick={onClose} />
        </div>
        <div className="flex min-h-0 grow touch-pinch-zoom items-center justify-center bg-chat-bg pb-(--safe-bottom)">
          <img src={last} alt={KIND_LABEL.image} className="size-full object-contain" />
        </div>
      </div>
    </Modal>
  )
}
