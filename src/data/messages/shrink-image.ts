// Scales pictures down on the device before they are sent: to at most 800 x 800 px at quality 0.9.
import { drawImage } from './draw-image.ts'

export type SmallImage = { blob: Blob; width: number; height: number }

/** What the worker answers: the smaller picture, or why it could not make one. */
export type Drawn = { image: SmallImage } | { fault: string }

/** Rejects if this browser cannot decode the file as a picture. */
export function shrinkImage(file: Blob): Promise<SmallImage> {
  if ('Worker' in window && 'OffscreenCanvas' in window) return inWorker(file)
  return drawImage(file, (width, height) =>
    Object.assign(document.createElement('canvas'), { width, height }),
  )
}

function inWorker(file: Blob): Promise<SmallImage> {
  const worker = new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' })
  const drawn = new Promise<SmallImage>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Drawn>) =>
      'image' in data ? resolve(data.image) : reject(new Error(data.fault)),
    )
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  })
  worker.postMessage(file)
  return drawn.finally(() => worker.terminate())
}
