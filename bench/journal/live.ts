/** Whole lives of runs, by so many submitters at once: four records in one commit, the fifth in another. */
import type { Device } from './device.js'

export async function live(device: Device, runs: number, submitters: number): Promise<void> {
  let begun = 0
  const submit = async (): Promise<void> => {
    while (begun < runs) await liveOne(device, begun++)
  }
  await Promise.all(Array.from({ length: submitters }, submit))
}

async function liveOne({ journals, me }: Device, n: number): Promise<void> {
  let run = ''
  let assignment = ''
  await journals.commit((write) => {
    run = write({ kind: 'created', type: 'media.thumbnail', input: { file: `photo-${n}.jpg` } }).run
    assignment = write({ kind: 'assigned', run, target: me, reason: 'created' }).id
    write({ kind: 'claimed', run, assignment })
    write({ kind: 'started', run, assignment })
  })
  const output = { url: `/thumbs/${n}` }
  await journals.commit((write) => void write({ kind: 'completed', run, assignment, output }))
}
