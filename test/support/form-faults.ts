import { DomUtils, parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { attribs: Record<string, string> }>;

/** What a screen reader would not say, or say twice, of a page's heading and forms; empty if all is well. */
export function formFaults(html: string): string[] {
  const page = new ReadPage(html);
  return [...page.headings(), ...page.unmarked(), ...page.unnamed(), ...page.alike()];
}

class ReadPage {
  readonly #all: readonly Element[];
  readonly #byId: ReadonlyMap<string, Element>;
  readonly #labels: ReadonlyMap<string, Element>;

  constructor(html: string) {
    this.#all = DomUtils.findAll(() => true, parseDocument(html).children).filter((one) => !isHidden(one));
    this.#byId = new Map(this.#all.flatMap((one) => (one.attribs.id ? [[one.attribs.id, one]] : [])));
    this.#labels = new Map(this.#all.flatMap((one) => (one.attribs.for ? [[one.attribs.for, one]] : [])));
  }

  /** The heading is the title alone: what stands under it is no part of its name. */
  headings(): string[] {
    return this.#all
      .filter(({ name, children }) => name === 'h1' && children.some((one) => isElement(one) && one.name !== 'svg'))
      .map((one) => `the h1 is more than a title: ${textOf(one)}`);
  }

  /** What is marked as required, and what has a message, says so where it is entered. */
  unmarked(): string[] {
    const required = this.#all.filter((one) => hasClass(one, 'required')).flatMap((mark) => this.#unrequired(mark));
    return [...required, ...this.#messages().flatMap((one) => this.#unsaid(one))];
  }

  unnamed(): string[] {
    return this.#controls()
      .filter((one) => this.#nameOf(one) === '')
      .map(({ name, attribs }) => `no name: ${name} ${attribs.id ?? attribs.name}`);
  }

  /** Two controls of one name are told apart by the names of their groups. */
  alike(): string[] {
    const named = Map.groupBy(this.#controls(), (one) => [...this.#groupsOf(one), this.#nameOf(one)].join(' › '));
    return [...named].flatMap(([name, own]) => (own.length > 1 ? [`${own.length} controls are named ${name}`] : []));
  }

  #unrequired(mark: Element): string[] {
    const label = ancestorsOf(mark).find(({ name }) => name === 'label' || name === 'legend');
    const field = label?.name === 'legend' ? label.parent : this.#byId.get(label?.attribs.for ?? '');
    if (label === undefined || !isElement(field)) return [`required, but of no field: ${textOf(mark)}`];
    // At least one of several boxes: the legend has the word, and no role has the state.
    const isBoxes = label.name === 'legend' && DomUtils.existsOne(isBox, [field]);
    return isBoxes || isRequired(field) ? [] : [`not marked as required: ${textOf(label)}`];
  }

  /** What a field, a group of fields or a form is told to have: the gaps of a request, and an alert at a form. */
  #messages(): Element[] {
    return this.#all.filter((one) => {
      const isOfGap = isElement(one.parent) && hasClass(one.parent, 'gap') && one.attribs.id !== undefined;
      return isOfGap || (one.attribs.role === 'alert' && isAtForm(one));
    });
  }

  #unsaid(message: Element): string[] {
    const described = this.#all.filter(({ attribs }) => idsIn(attribs['aria-describedby']).has(message.attribs.id));
    const asked = ancestorsOf(message).find((one) => hasClass(one, 'asked-section'));
    const isAnswered = asked === undefined || this.#controls().some((one) => ancestorsOf(one).includes(asked));
    if (described.length === 0) return isAnswered ? [`no field is described by: ${textOf(message)}`] : [];
    const blocks = !isElement(message.parent) || !hasClass(message.parent, 'warns');
    const isWhole = described.some(({ name }) => name === 'form');
    if (!blocks || isWhole || described.some(({ attribs }) => attribs['aria-invalid'] === 'true')) return [];
    return [`no field is invalid by: ${textOf(message)}`];
  }

  #controls(): Element[] {
    return this.#all.filter(
      ({ name, attribs }) =>
        ['input', 'select', 'textarea', 'button', 'summary'].includes(name) && attribs.type !== 'hidden',
    );
  }

  #groupsOf(control: Element): string[] {
    return ancestorsOf(control)
      .map((one) => this.#groupName(one))
      .filter((name) => name !== '')
      .toReversed();
  }

  #groupName(one: Element): string {
    const { attribs, children, name } = one;
    if (!groups.has(name) && attribs.role !== 'group' && attribs.role !== 'radiogroup') return '';
    const legend = children.find((child) => isElement(child) && child.name === 'legend');
    return this.#given(one) || (legend === undefined ? '' : textOf(legend));
  }

  #given({ attribs }: Element): string {
    const by = [...idsIn(attribs['aria-labelledby'])].map((id) => this.#byId.get(id ?? ''));
    return by.map((one) => (one === undefined ? '' : textOf(one))).join(' ') || (attribs['aria-label'] ?? '');
  }

  #nameOf(control: Element): string {
    const { attribs, name } = control;
    const label = this.#labels.get(attribs.id ?? '') ?? ancestorsOf(control).find((one) => one.name === 'label');
    const own = name === 'button' || name === 'summary' ? textOf(control) : '';
    const others = attribs.type === 'submit' ? attribs.value : attribs.title;
    return this.#given(control) || (label === undefined ? own : textOf(label)) || (others ?? '');
  }
}

const groups: ReadonlySet<string> = new Set(['fieldset', 'details', 'section', 'form', 'aside', 'nav', 'dialog']);

function isElement(node: Node | Element['parent'] | undefined): node is Element {
  return node instanceof Object && 'attribs' in node;
}

function ancestorsOf(node: Element): Element[] {
  return isElement(node.parent) ? [node.parent, ...ancestorsOf(node.parent)] : [];
}

function isHidden(one: Element): boolean {
  return [one, ...ancestorsOf(one)].some(
    ({ attribs, name }) => 'hidden' in attribs || attribs['aria-hidden'] === 'true' || name === 'noscript',
  );
}

function isBox({ name, attribs }: Element): boolean {
  return name === 'input' && attribs.type === 'checkbox';
}

/** In a form, or right before one. */
function isAtForm(one: Element): boolean {
  const next = DomUtils.nextElementSibling(one);
  return next?.name === 'form' || ancestorsOf(one).some(({ name }) => name === 'form');
}

function isRequired({ name, attribs }: Element): boolean {
  // A group has the state only as one of radio buttons.
  if (name === 'fieldset' && attribs.role !== 'radiogroup') return false;
  return 'required' in attribs || attribs['aria-required'] === 'true';
}

function hasClass({ attribs }: Element, name: string): boolean {
  return attribs.class?.split(' ').includes(name) === true;
}

function idsIn(text: string | undefined): ReadonlySet<string | undefined> {
  return new Set(text?.split(' ').filter((id) => id !== ''));
}

/** The text without what is entered in it, and without what a screen reader leaves out. */
function textOf(node: Node): string {
  if (!isElement(node)) return DomUtils.textContent(node).replaceAll(/\s+/g, ' ');
  if (['select', 'textarea', 'datalist'].includes(node.name) || isHidden(node)) return '';
  return node.children
    .map(textOf)
    .join(node.name === 'h1' || node.name === 'label' ? ' ' : '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
