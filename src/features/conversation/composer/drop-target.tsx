// Attaches files that are dropped on the conversation.
import { Paperclip } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'

type DropTargetProps = { isActive: boolean; onFiles: (files: readonly File[]) => void; children: ReactNode }

export function DropTarget({ isActive, onFiles, children }: DropTargetProps) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    // Text dragged within the page is handled by the box.
    if (!isActive || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
  }
  const drop = (event: DragEvent) => {
    setOver(false)
    if (!isActive || event.dataTransfer.files.length === 0) return
    event.preventDefault()
    onFiles([...event.dataTransfer.files])
  }
  return (
    // Only a mouse can drop files, so keyboard and touch users attach files with the plus button.
    <div onDragOver={over} onDragLeave={leave} onDrop={drop} className="relative flex min-h-0 grow flex-col">
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-2 z-1 flex items-center justify-center gap-2 rounded-lg bg-primary-soft/95 text-18 font-semibold text-on-primary-soft shadow-input-focus">
          <Icon of={Paperclip} />
          Solte para anexar
        </p>
      )}
    </div>
  )
}
