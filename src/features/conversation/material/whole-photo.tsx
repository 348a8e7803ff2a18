// Shows a development's photo full screen: the small version until the large one has loaded.
import { useQuery } from '@tanstack/react-query'
import { filesQuery } from '#data/development-files.ts'
import { PhotoViewer } from '../message/photo-viewer.tsx'

type WholePhotoProps = {
  /** Undefined while the viewer is closed. */
  fileId: number | undefined
  small: string | undefined
  onClose: () => void
}

export function WholePhoto({ fileId, small, onClose }: WholePhotoProps) {
  const { data: urls } = useQuery(filesQuery(fileId === undefined ? [] : [fileId], false))
  const url = fileId === undefined ? undefined : (urls?.[fileId] ?? small)
  return <PhotoViewer shown={url === undefined ? undefined : { url }} onClose={onClose} />
}
