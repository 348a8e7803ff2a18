// Lets only one sound of a conversation play at a time.
let sounding: HTMLMediaElement | null = null

/** Call it when a sound starts; it pauses the previous one. */
export function soundAlone(sound: HTMLMediaElement) {
  if (sounding !== sound) sounding?.pause()
  sounding = sound
}

export function fallSilent() {
  sounding?.pause()
}
