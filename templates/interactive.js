// Compares two entries, searches the ranking and sorts tables. Every word, number and order is in the
// page as JSON: nothing is computed or judged here. Names come from strangers, so they become text only.
'use strict';
const { words, pairs, tables } = JSON.parse(document.getElementById('interactive').textContent);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function choice(label, options) {
  const select = make('select', { autocomplete: 'off' });
  for (const [value, text] of options) select.append(make('option', { value }, text));
  return [select, make('label', {}, label, ' ', select)];
}

// Fills in a sentence in one pass: a name with braces stays a name.
function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

// The rows of a table in their first order, each with its card, which stands below it.
function rowsOf(table) {
  return [...table.tBodies[0].rows].filter(row => !row.classList.contains('card')).map(row => {
    const next = row.nextElementSibling;
    return next?.classList.contains('card') ? [row, next] : [row];
  });
}

function sorter({ selector, columns }) {
  const table = document.querySelector(selector);
  const rows = rowsOf(table);
  const [select, label] = choice(words.sort, columns.map(({ heading }, i) => [i, heading]));
  const reverse = make('button', { type: 'button', 'aria-pressed': 'false' }, words.reverse);
  function sort() {
    const { order, column, ascending } = columns[select.value];
    const turned = reverse.getAttribute('aria-pressed') === 'true';
    const now = turned ? [...order].reverse() : order;
    table.tBodies[0].append(...now.flatMap(number => rows[number]));
    const heads = [...table.tHead.rows].at(-1).cells;
    for (const head of heads) head.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', ascending !== turned ? 'ascending' : 'descending');
  }
  select.addEventListener('change', sort);
  reverse.addEventListener('click', () => {
    reverse.setAttribute('aria-pressed', String(reverse.getAttribute('aria-pressed') !== 'true'));
    sort();
  });
  const tools = make('div', { class: 'by-script' }, label, reverse);
  table.closest('.scroller').before(tools);
  return tools;
}

// What is compared has neither case nor accents.
const folded = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function search(tools, selector) {
  const rows = rowsOf(document.querySelector(selector)).map(([row]) => row);
  const names = rows.map(row => folded(row.querySelector('.name bdi').textContent));
  const input = make('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  const count = make('span', { role: 'status' });
  input.addEventListener('input', () => {
    const wanted = folded(input.value.trim());
    const everyRow = document.getElementById('show-all');
    if (wanted && everyRow) everyRow.checked = true; // what is found shows
    rows.forEach((row, i) => row.classList.toggle('not-found', !names[i].includes(wanted)));
    const found = rows.filter(row => !row.classList.contains('not-found')).length;
    count.textContent = wanted ? fill(words.found, { count: found }) : '';
  });
  tools.prepend(make('label', {}, words.search, ' ', input));
  tools.append(count);
}

function comparison({ names, firsts, seconds, said, alone, among, note }) {
  const pair = new Map(among.map(item => [`${item[0]} ${item[1]}`, item]));
  const named = places => places.map(place => [place, names[place]]);
  const [one, first] = choice(words.first, named(firsts));
  const [other, second] = choice(words.second, named(seconds));
  other.value = seconds.find(place => place !== firsts[0]);
  const sentence = make('p', { class: 'said' });
  const numbers = make('p');
  const interval = make('p');
  function say() {
    const found = pair.get(`${one.value} ${other.value}`) ?? pair.get(`${other.value} ${one.value}`);
    const [better, worse, kind, difference, p, range] = found ?? [];
    const values = { better: names[better], worse: names[worse], difference, p, interval: range };
    const [told, measured] = found ? said[kind] : [words.same, ''];
    sentence.textContent = fill(told, values);
    numbers.textContent = fill(measured, values);
    interval.textContent = found ? fill(alone, values) : '';
  }
  one.addEventListener('change', say);
  other.addEventListener('change', say);
  say();
  const choices = make('div', { class: 'by-script' }, first, second);
  const result = make('div', { 'aria-live': 'polite', 'aria-atomic': 'true' }, sentence, numbers, interval);
  const legend = make('legend', {}, words.compare);
  const box = make('fieldset', { class: 'two-entries' }, legend, choices, result);
  if (note) box.append(make('p', { class: 'note' }, note));
  document.getElementById('how').before(box);
}

const style = new CSSStyleSheet();
style.replaceSync(`
  .by-script { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin: .5rem 0; font-size: .9375rem; }
  .by-script label { display: inline-flex; flex-wrap: wrap; gap: .125rem .5rem; align-items: center; max-width: 100%; }
  .by-script :is(input, select, button) { font: inherit; color: var(--text); background: var(--paper);
    border: 1px solid var(--muted); border-radius: .25rem; padding: .25rem .5rem; min-height: 2rem; max-width: min(20rem, 100%); }
  .by-script button { cursor: pointer; }
  .by-script button[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); }
  .two-entries { margin: 1.5rem 0 0; padding: 0; border: 0; border-top: 1px solid var(--rule); min-width: 0; }
  .two-entries legend { padding: 0 .75rem 0 0; font: 600 1.1875rem/1.2 var(--serif); }
  .two-entries .said { font: 400 1.125rem/1.4 var(--serif); }
  .two-entries [aria-live] p { margin: .25rem 0; }
  @media screen { .not-found:not(:target), .not-found:not(:target) + .card { display: none !important; } }
  @media print { .by-script, .two-entries { display: none; } }
`);
document.adoptedStyleSheets.push(style);

const tools = tables.map(sorter);
if (tables.length) search(tools[0], tables[0].selector);
if (pairs) comparison(pairs);
