import type { VNode } from 'preact';
import { maxUploadBytes } from '../../ehr/documents/read-upload.ts';

interface FileInputProps {
  readonly id: string;
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly required?: boolean;
  readonly describedBy?: string;
  /** Shown for files above the limit, before anything is sent. */
  readonly tooLarge: string;
}

/** An input named `file` for files from the person's computer. */
export function FileInput({ tooLarge, describedBy, ...others }: FileInputProps): VNode {
  return (
    <input
      {...others}
      name="file"
      type="file"
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      data-most={maxUploadBytes}
      data-too-large={tooLarge}
    />
  );
}
