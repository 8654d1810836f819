import type { Root } from '../../mapping/input.ts';
import type { Look } from '../../mapping/result.ts';
import type { Choice } from '../chart.ts';
import type { RoleTable } from '../define.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot, type RootWords } from '../filled.ts';

/**
 * Returns the role unchanged, unless it is empty because the EHR did not return its resources. The returned role then
 * states this, because missing resources do not show that the chart has none.
 */
export function unlessGiven(filled: Filled, role: string, table: RoleTable, facts: Facts): Filled {
  // an unread element is in a resource that the EHR returned
  if (filled.root.nodes.length > 0 || filled.root.unread !== undefined) return filled;
  const types = typesNotGiven(role, table, facts);
  return types.length === 0 ? filled : new NotGiven(filled, role, types);
}

function typesNotGiven(role: string, { types, dependsOn }: RoleTable, facts: Facts): readonly string[] {
  const { unread = [] } = facts.request;
  const empty = [...dependsOn(role)].filter((one) => one === role || facts.root(one).nodes.length === 0);
  const read = new Set(empty.flatMap((one) => types[one] ?? []));
  return unread.filter((type) => read.has(type));
}

class NotGiven implements Filled, RootWords {
  readonly root: Root;
  readonly refusal?: string;

  constructor(
    private readonly filled: Filled,
    private readonly role: string,
    private readonly types: readonly string[],
  ) {
    this.root = new FilledRoot([], this, filled.root.kind);
    if (filled.refusal !== undefined) this.refusal = filled.refusal;
  }

  get questions() {
    return this.filled.questions ?? [];
  }

  looks(): Look[] {
    const words = this.words();
    const steps = this.types.map((step) => ({ step, items: 0 }));
    const refused = [{ why: 'not_given' as const, words }];
    return [{ expression: `%${this.role}`, steps, refused }, ...(this.filled.root.looks ?? [])];
  }

  note(): string | undefined {
    return this.filled.root.note;
  }

  choice(): Choice | undefined {
    const choice = this.filled.choice?.();
    return choice === undefined || choice.candidates.length > 0 ? choice : { ...choice, reason: this.words() };
  }

  warnings(): readonly string[] {
    return this.filled.warnings?.() ?? [];
  }

  private words(): string {
    return `${this.types.join(', ')} could not be read from the EHR`;
  }
}
