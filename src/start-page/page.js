// Copy buttons, and tabs over what is otherwise a plain list of snippets.
const said = document.getElementById('said');

async function copy(code) {
  // The clipboard is closed to pages that came over plain HTTP from another machine; selecting works everywhere.
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent);
  getSelection().selectAllChildren(code);
  if (!document.execCommand('copy')) throw new Error('the browser refused to copy');
}

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const done = await copy(button.parentElement.querySelector('code')).then(
      () => 'Copied',
      () => 'Press Ctrl+C',
    );
    button.textContent = done;
    said.textContent = done;
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, 2000);
  });
}

for (const group of document.querySelectorAll('.tabs')) {
  const panels = [...group.querySelectorAll('.panel')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', group.dataset.label);
  const tabs = panels.map((panel) => {
    const heading = panel.querySelector('h3');
    heading.hidden = true;
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = panel.id.replace('panel', 'tab');
    tab.textContent = heading.textContent;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  const select = (chosen) => {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    }
  };
  const moves = { ArrowRight: 1, ArrowLeft: -1 };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(index));
    tab.addEventListener('keydown', (event) => {
      const move = moves[event.key];
      if (!move) return;
      const next = (index + move + tabs.length) % tabs.length;
      select(next);
      tabs[next].focus();
    });
  }
  select(0);
  list.append(...tabs);
  group.prepend(list);
}
