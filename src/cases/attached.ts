import type { Attached, Case } from './case.ts';
import type { CaseContext } from './context.ts';

/**
 * Stores the bytes sealed with the case, then adds the file to the draft. If the second step fails, the bytes are never
 * used and are deleted with the case.
 */
export async function attachFile(context: CaseContext, id: string, attach: Attached, bytes: Uint8Array): Promise<Case> {
  await context.store.cases.putFile(id, fileName(attach.id), bytes);
  return await context.change(id, 'edit', { edits: { attach } });
}

/** Removes the file from the draft first, then its bytes. */
export async function detachFile(context: CaseContext, id: string, file: string): Promise<Case> {
  const changed = await context.change(id, 'edit', { edits: { detach: file } });
  await context.store.cases.removeFile(id, fileName(file));
  return changed;
}

export async function attachedFile({ store }: CaseContext, id: string, file: string): Promise<Uint8Array | undefined> {
  return await store.cases.file(id, fileName(file));
}

function fileName(file: string): string {
  return `attached/${file}`;
}
