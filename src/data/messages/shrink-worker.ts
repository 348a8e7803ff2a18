// The worker that scales pictures down, so that a large one does not block the page.
import { drawImage } from './draw-image.ts'
import type { Drawn } from './shrink-image.ts'

const answer = (drawn: Drawn) => self.postMessage(drawn)

self.addEventListener('message', ({ data: file }: MessageEvent<Blob>) => {
  drawImage(file, (width, height) => new OffscreenCanvas(width, height)).then(
    (image) => answer({ image }),
    (error: unknown) => answer({ fault: String(error) }),
  )
})
